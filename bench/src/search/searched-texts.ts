import { randomInteger, SeededRandom } from '@isotherm/runtime'
import { companyName, plainText } from 'isotherm/search'
import type { ContactRow } from './contact-rows.js'

/** A query, and how it must match. */
export interface DrawnQuery {
  readonly text: string
  readonly match: 'prefix' | 'substring'
}

/** Normalized names and companies of all contacts, from the oldest: what is searched, without an index. */
export class SearchedTexts {
  readonly #texts: (readonly [name: string, company: string])[] = []

  add({ fields }: ContactRow): void {
    this.#texts.push([plainText(fields.name), companyName(fields.company)])
  }

  /** Queries by parts of the data, so that each finds something. */
  queries(count: number, match: DrawnQuery['match'], length: number): readonly DrawnQuery[] {
    const random = new SeededRandom(length)
    const drawn: DrawnQuery[] = []
    while (drawn.length < count) {
      const [name, company] = this.#texts[randomInteger(random, 0, this.#texts.length - 1)] ?? ['', '']
      const characters = Array.from(random.next() < 0.5 ? name : company)
      const last = characters.length - length
      if (last < 0) continue
      const from = match === 'prefix' ? 0 : randomInteger(random, 0, last)
      const text = characters.slice(from, from + length).join('')
      // A query that a normalizer changes, such as one that ends in a comma, would be another one.
      if (plainText(text) === text && companyName(text) === text) drawn.push({ text, match })
    }
    return drawn
  }

  /** Numbers of the newest contacts that match, newest first, by looking at all of them. */
  newest({ text, match }: DrawnQuery, limit: number): readonly number[] {
    const found: number[] = []
    for (let at = this.#texts.length - 1; at >= 0 && found.length < limit; at--) {
      const texts = this.#texts[at] ?? []
      if (texts.some((one) => (match === 'prefix' ? one.startsWith(text) : one.includes(text))))
        found.push(at)
    }
    return found
  }
}
