import { MAX_TEXT_CHARACTERS } from '../model/derived-items.js'
import type { DirectoryTarget } from '../model/directory-target.js'
import { searchType } from '../model/keys.js'
import { mayMatch } from '../model/listing-text.js'
import { isCovered, OLDEST, type Position } from '../model/position.js'
import { firstCharacters } from '../text/first-characters.js'
import { longestHead } from '../text/grams.js'
import { indexPage } from './index-page.js'
import { PostingSource } from './posting-source.js'
import type { Source } from './source.js'

/** Above so many matches, they are read newest first instead of all. */
const MOST_TEXTS = 250
/** Two such pages, the texts and a hundred items stay below 60 read units. */
const FILTERED: readonly [number, number] = [250, 250]
/** More than a page, for entries whose item has changed since. */
const SLACK = 8

/** Items with a text that begins with a query. */
export function prefixSource(
  target: DirectoryTarget,
  tenant: string,
  query: string,
  before: Position,
  limit: number,
): Source {
  const head = longestHead(query)
  const isHead = head === query
  const passes = (texts: string) =>
    isHead || mayMatch(texts, (text) => text.startsWith(query) || query.startsWith(text))
  const limits = isHead ? ([limit + SLACK, limit + SLACK] as const) : FILTERED
  const byTime = new PostingSource(target, { type: searchType.head(tenant, head), passes, limits }, before)
  return isHead ? byTime : new LongPrefixSource(target, tenant, query, before, byTime)
}

/**
 * For queries that are longer than all heads. Two ways are tried at the same time: all texts in alphabetical order, which is complete at once
 * if there are few; and the texts of the longest head, newest first, which soon fills a page if there are many.
 */
class LongPrefixSource implements Source {
  readonly #target: DirectoryTarget
  readonly #type: string
  readonly #query: string
  readonly #before: Position
  readonly #byTime: Source
  #all: ReadonlySet<Position> | undefined
  #isFirst = true

  constructor(target: DirectoryTarget, tenant: string, query: string, before: Position, byTime: Source) {
    this.#target = target
    this.#type = searchType.texts(tenant, query)
    this.#query = firstCharacters(query, MAX_TEXT_CHARACTERS)
    this.#before = before
    this.#byTime = byTime
  }

  get coveredTo(): Position {
    return this.#all === undefined ? this.#byTime.coveredTo : OLDEST
  }

  get candidates(): ReadonlySet<Position> {
    return this.#all ?? this.#byTime.candidates
  }

  async advance(): Promise<void> {
    const texts = this.#isFirst ? this.#readTexts() : undefined
    this.#isFirst = false
    await Promise.all([texts, this.#byTime.advance()])
  }

  async #readTexts(): Promise<void> {
    const { values, isLast } = await indexPage(this.#target, this.#type, { prefix: this.#query }, MOST_TEXTS)
    if (!isLast) return
    const positions = values.map((value) => value.slice(value.indexOf('\t') + 1))
    this.#all = new Set(positions.filter((position) => !isCovered(position, this.#before)))
  }
}
