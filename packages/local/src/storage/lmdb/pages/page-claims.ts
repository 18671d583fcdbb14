import { FIRST_PAGE } from './page.js'
import { PageDamage } from './page-damage.js'

/**
 * Which pages of a data file are in use or free. Each page has one use. With a second one, a reader gets a page of
 * something else, or a write destroys what another row needs.
 */
export class PageClaims {
  readonly #pages: number
  readonly #lastPage: number
  /** One bit for each page. */
  readonly #claimed: Uint8Array
  #claimedBehind = 0

  /** @param pages the number of pages in the file. It may end before the last page, if that was never used. */
  constructor(pages: number, lastPage: number) {
    this.#pages = pages
    this.#lastPage = lastPage
    this.#claimed = new Uint8Array(Math.ceil(pages / 8))
  }

  /** @throws PageDamage when a page is outside of the file, or has a use already. */
  claim(first: number, count = 1): void {
    if (first < FIRST_PAGE || first + count - 1 > this.#lastPage) {
      throw new PageDamage(`page ${first} would be outside of it`)
    }
    const end = Math.min(first + count, this.#pages)
    this.#claimedBehind += first + count - Math.max(first, end)
    for (let page = first; page < end; page++) {
      const bits = this.#claimed[page >>> 3] ?? 0
      const bit = 1 << (page & 7)
      if ((bits & bit) !== 0) throw new PageDamage(`page ${page} has two uses`)
      this.#claimed[page >>> 3] = bits | bit
    }
  }

  /** Checks that the file has all pages but free ones, once all claims are made. @throws PageDamage */
  checkEnd(): void {
    const missing = this.#lastPage + 1 - this.#pages - this.#claimedBehind
    if (missing > 0) throw new PageDamage(`the file ends before ${missing} of its pages`)
  }
}
