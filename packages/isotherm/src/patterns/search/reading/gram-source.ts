import type { DirectoryTarget } from '../model/directory-target.js'
import { searchType } from '../model/keys.js'
import { mayMatch } from '../model/listing-text.js'
import { isCovered, newestFirst, OLDEST, type Position } from '../model/position.js'
import { PostingSource } from './posting-source.js'
import type { Source } from './source.js'

/** Grams of a query that are looked up, of those that it has. More of them hardly narrow it down. */
const MOST_GRAMS = 6
/** The newest entries of each gram show how frequent it is. They cost half a read unit. */
const PROBE = 32
/** Entries of the rarest gram in each further step. They cost 10 to 20 read units. */
const FURTHER = 1_000

/**
 * Items that contain all grams of a query. The newest entries of each gram are read first. The further back they reach, the rarer is the gram,
 * so no counts have to be kept. Then only the rarest is read further. Its entries have the characters around the gram, so most of those that do not
 * match are dropped without a second list and without reading their items.
 */
export class GramSource implements Source {
  readonly #grams: readonly PostingSource[]
  #isFirst = true

  /** @param windows of the query: at least one gram */
  constructor(
    target: DirectoryTarget,
    tenant: string,
    windows: ReadonlyMap<string, readonly string[]>,
    before: Position,
  ) {
    this.#grams = spread([...windows]).map(([gram, [window = gram]]) => {
      const posting = {
        type: searchType.gram(tenant, gram),
        passes: (texts: string) => mayMatch(texts, (text) => text.includes(window)),
        limits: [PROBE, FURTHER] as const,
      }
      return new PostingSource(target, posting, before)
    })
  }

  get coveredTo(): Position {
    return this.#rarest()[0]?.coveredTo ?? OLDEST
  }

  get candidates(): ReadonlySet<Position> {
    const [first, ...others] = this.#rarest()
    const inAll = [...(first?.candidates ?? [])].filter((position) =>
      others.every(
        ({ coveredTo, candidates }) => !isCovered(position, coveredTo) || candidates.has(position),
      ),
    )
    return new Set(inAll)
  }

  async advance(): Promise<void> {
    const reading = this.#isFirst ? this.#grams : this.#rarest().slice(0, 1)
    this.#isFirst = false
    await Promise.all(reading.map((gram) => gram.advance()))
  }

  /** Those first whose entries reach back furthest. */
  #rarest(): readonly PostingSource[] {
    return [...this.#grams].sort((one, other) => -newestFirst(one.coveredTo, other.coveredTo))
  }
}

/** A few of them from all over the query: neighbours overlap, so they say less together. */
function spread<Part>(parts: readonly Part[]): readonly Part[] {
  if (parts.length <= MOST_GRAMS) return parts
  const step = (parts.length - 1) / (MOST_GRAMS - 1)
  return Array.from({ length: MOST_GRAMS }, (_, index) => parts[Math.round(index * step)]).filter(
    (part) => part !== undefined,
  )
}
