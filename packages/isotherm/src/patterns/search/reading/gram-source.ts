import type { DirectoryTarget } from '../model/directory-target.js'
import { searchType } from '../model/keys.js'
import { isCovered, newestFirst, type Position } from '../model/position.js'
import { PostingSource } from './posting-source.js'
import type { Source } from './source.js'

/** Grams of a query that are looked up, of those that it has. More of them hardly narrow it down. */
const MOST_GRAMS = 6
/** The newest entries of each gram tell how frequent it is. They cost half a read unit. */
const PROBE = 32
/** Entries of the two rarest grams in each further step. */
const FURTHER = 500
/** So many items are read rather than found in a second gram. */
const UNCONFIRMED = 50

/**
 * Items that contain all grams of a query. The newest entries of each gram are read first. The further back they reach, the rarer is the gram,
 * so no counts have to be kept. Then the two rarest are read further and intersected; what remains is compared with the items.
 */
export class GramSource implements Source {
  readonly #grams: readonly PostingSource[]
  #coveredTo: Position
  #candidates: ReadonlySet<Position> = new Set()
  #isFirst = true

  constructor(target: DirectoryTarget, tenant: string, grams: readonly string[], before: Position) {
    this.#coveredTo = before
    this.#grams = spread(grams).map((gram) => {
      const posting = {
        type: searchType.gram(tenant, gram),
        passes: () => true,
        limits: [PROBE, FURTHER] as const,
      }
      return new PostingSource(target, posting, before)
    })
  }

  get coveredTo(): Position {
    return this.#coveredTo
  }

  get candidates(): ReadonlySet<Position> {
    return this.#candidates
  }

  async advance(): Promise<void> {
    const reading = this.#isFirst ? this.#grams : this.#rarest().slice(0, 2)
    this.#isFirst = false
    await Promise.all(reading.map((gram) => gram.advance()))
    this.#intersect()
  }

  /** Those first whose entries reach back furthest. */
  #rarest(): readonly PostingSource[] {
    return [...this.#grams].sort((one, other) => -newestFirst(one.coveredTo, other.coveredTo))
  }

  #intersect(): void {
    const [first, ...others] = this.#rarest()
    if (first === undefined) return
    const inAll = [...first.candidates].filter((position) =>
      others.every(
        ({ coveredTo, candidates }) => !isCovered(position, coveredTo) || candidates.has(position),
      ),
    )
    const confirmedTo = others[0]?.coveredTo ?? first.coveredTo
    const unconfirmed = inAll.filter((position) => !isCovered(position, confirmedTo))
    this.#candidates = new Set(inAll)
    const coveredTo = unconfirmed.length <= UNCONFIRMED ? first.coveredTo : confirmedTo
    // What was complete once stays so.
    if (isCovered(this.#coveredTo, coveredTo)) this.#coveredTo = coveredTo
  }
}

/** A few grams from all over the query: neighbours overlap, so they say less together. */
function spread(grams: readonly string[]): readonly string[] {
  if (grams.length <= MOST_GRAMS) return grams
  const step = (grams.length - 1) / (MOST_GRAMS - 1)
  return Array.from({ length: MOST_GRAMS }, (_, index) => grams[Math.round(index * step)] ?? '')
}
