import { firstCharacters } from './first-characters.js'

/** Scripts whose characters are words or syllables, and which are written without spaces. */
const IDEOGRAPHIC = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー〆]/u

const RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー〆]+|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー〆]+/gu

/**
 * Characters of a gram: two in scripts with thousands of characters, three in alphabets. Pairs of letters would be in most names, so
 * they would not narrow a search down.
 */
function gramSize(text: string): 2 | 3 {
  return IDEOGRAPHIC.test(text) ? 2 : 3
}

/** The different grams of a normalized text, in the order of the text. A gram is within a word, and within one kind of script. */
export function gramsOf(text: string): readonly string[] {
  const grams = new Set<string>()
  for (const [run] of text.matchAll(RUNS)) {
    const size = gramSize(run)
    const characters = Array.from(run)
    for (let at = 0; at + size <= characters.length; at++) grams.add(characters.slice(at, at + size).join(''))
  }
  return [...grams]
}

/** The beginnings of a normalized text that have postings of their own: of one character, up to the size of a gram. */
export function headsOf(text: string): readonly string[] {
  const sizes = Array.from({ length: gramSize(text) }, (_, index) => index + 1)
  return [...new Set(sizes.map((size) => firstCharacters(text, size)))].filter((head) => head !== '')
}

/** The longest head of a text, under which all texts are found that begin with it. */
export function longestHead(text: string): string {
  return firstCharacters(text, gramSize(text))
}
