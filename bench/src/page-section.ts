import { readFileSync, writeFileSync } from 'node:fs'

/** The part of a page that a benchmark writes, between two comments. */
export class PageSection {
  readonly #path: string
  readonly #begin: string
  readonly #end: string

  /** @throws Error if the page has no such part: a benchmark of an hour shall not end with that */
  constructor(path: string, { begin, end }: { readonly begin: string; readonly end: string }) {
    this.#path = path
    this.#begin = begin
    this.#end = end
    this.#around()
  }

  write(text: string): void {
    const [before, after] = this.#around()
    writeFileSync(this.#path, `${before}${this.#begin}\n\n${text}\n\n${after}`)
  }

  #around(): readonly [before: string, after: string] {
    const page = readFileSync(this.#path, 'utf8')
    const [from, to] = [page.indexOf(this.#begin), page.indexOf(this.#end)]
    if (from < 0 || to < from) {
      throw new Error(`${this.#path} must hold ${this.#begin} and, behind it, ${this.#end}.`)
    }
    return [page.slice(0, from), page.slice(to)]
  }
}
