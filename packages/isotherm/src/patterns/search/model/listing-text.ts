import { utf8Length } from '@isotherm/semantics'
import { firstCharacters } from '../text/first-characters.js'
import type { SearchText } from './search-texts.js'

/** A sort key takes 1,024 bytes, and a position is up to 138. */
const MAX_BYTES = 600
const MAX_CHARACTERS = 64
/** An empty text, last, says that the texts are not complete. */
const CUT = ''

/**
 * The texts of an item that are searched by any part, within its entry in the index: a search without grams filters entries before it reads
 * items. Other texts are left out. The name of a category that all items have would pass each of them.
 */
export function listingText(texts: readonly SearchText[]): string {
  return cutTexts(texts.filter(({ field }) => field.search === 'substring').map(({ text }) => text))
}

/** Texts in one, each of them and all together within limits. */
export function cutTexts(texts: readonly string[]): string {
  const kept: string[] = []
  let bytes = 0
  let isCut = false
  for (const text of new Set(texts)) {
    const part = firstCharacters(text, MAX_CHARACTERS)
    if (part.length < text.length) isCut = true
    bytes += utf8Length(part) + 1
    if (bytes > MAX_BYTES) return [...kept, CUT].join('\t')
    kept.push(part)
  }
  return (isCut ? [...kept, CUT] : kept).join('\t')
}

/** Whether an entry's texts pass a test, or may do so because they were cut. */
export function mayMatch(joined: string, passes: (text: string) => boolean): boolean {
  return joined !== '' && joined.split('\t').some((text) => text === CUT || passes(text))
}
