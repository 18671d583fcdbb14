import type { DirectoryTarget } from '../model/directory-target.js'
import { OLDEST, type Position } from '../model/position.js'
import { type IndexPage, indexPage } from './index-page.js'
import type { Source } from './source.js'

/** What is read of one key of the index. */
export interface Posting {
  /** The partition key of the index. */
  readonly type: string
  /** Whether an entry may belong to a match, from the texts behind its position. */
  readonly passes: (texts: string) => boolean
  /** Entries of the first page, and of further ones. */
  readonly limits: readonly [first: number, further: number]
}

/** Reads the entries of one key of the index, newest first. */
export class PostingSource implements Source {
  readonly candidates = new Set<Position>()
  readonly #target: DirectoryTarget
  readonly #posting: Posting
  #coveredTo: Position
  #pages = 0

  constructor(target: DirectoryTarget, posting: Posting, before: Position) {
    this.#target = target
    this.#posting = posting
    this.#coveredTo = before
  }

  get coveredTo(): Position {
    return this.#coveredTo
  }

  async advance(): Promise<void> {
    if (this.#coveredTo === OLDEST) return
    const { type, limits } = this.#posting
    this.#add(
      await indexPage(this.#target, type, { before: this.#coveredTo }, limits[this.#pages === 0 ? 0 : 1]),
    )
    this.#pages += 1
  }

  #add({ values, isLast }: IndexPage): void {
    let last = this.#coveredTo
    for (const value of values) {
      const tab = value.indexOf('\t')
      last = tab < 0 ? value : value.slice(0, tab)
      if (this.#posting.passes(tab < 0 ? '' : value.slice(tab + 1))) this.candidates.add(last)
    }
    this.#coveredTo = isLast ? OLDEST : last
  }
}
