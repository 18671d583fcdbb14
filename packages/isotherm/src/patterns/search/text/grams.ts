import { firstCharacters } from './first-characters.js'

/** Scripts whose characters are words or syllables, and which are written without spaces. */
const IDEOGRAPHIC = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー〆]/u

type Kind = 'ideographic' | 'alphabetic' | 'space'

/**
 * Characters of a gram: two in scripts with thousands of characters, three in alphabets. Pairs of letters would be in most names, so
 * they would not narrow a search down.
 */
function gramSize(text: string): 2 | 3 {
  return IDEOGRAPHIC.test(text) ? 2 : 3
}

/** Characters on each side of a gram that its window has. */
const WINDOW = 8

/**
 * The different grams of a normalized text, in the order of the text. Those within a word are in one kind of script. One gram spans each
 * boundary of two words: `n s` is that of `john smith`. So every text of three characters has a gram, and the first letter of
 * the next word narrows a search down.
 */
export function gramsOf(text: string): readonly string[] {
  return [...gramWindows(text).keys()]
}

/**
 * The grams of a text, each with its windows: it and the characters around it, at each place where the text has it. If a text contains a query,
 * one of the text's windows of a gram contains the first window of this gram in the query.
 */
export function gramWindows(text: string): ReadonlyMap<string, readonly string[]> {
  const characters = Array.from(text)
  const kinds = characters.map(kindOf)
  const windows = new Map<string, string[]>()
  const add = (from: number, to: number) => {
    const gram = characters.slice(from, to).join('')
    const window = characters.slice(Math.max(0, from - WINDOW), to + WINDOW).join('')
    windows.set(gram, [...(windows.get(gram) ?? []), window])
  }
  for (const [at, kind] of kinds.entries()) {
    if (kind === 'space') continue
    const size = kind === 'ideographic' ? 2 : 3
    const within = kinds.slice(at, at + size)
    if (within.length === size && within.every((one) => one === kind)) add(at, at + size)
    const behind = kinds[at + 1] === 'space' ? at + 2 : at + 1
    const next = kinds[behind]
    const isBoundary = next !== undefined && next !== 'space' && (behind > at + 1 || next !== kind)
    if (isBoundary) add(at, behind + 1)
  }
  return windows
}

function kindOf(character: string): Kind {
  if (IDEOGRAPHIC.test(character)) return 'ideographic'
  return /\s/u.test(character) ? 'space' : 'alphabetic'
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
