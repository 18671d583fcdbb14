/**
 * Splits a text into the words that the search finds. Japanese has no spaces between words, and its keyboards write Latin letters and
 * digits in two widths. The dictionary of the segmenter splits borrowed words that it does not know, such as シャード, in odd places, so a
 * run of katakana is also a word as a whole. Single kana are particles or remains of such a split.
 *
 * It is sent to the browser as its own source, so it uses nothing from outside.
 *
 * @param {string} text
 */
export function wordsOf(text) {
  const normal = text.normalize('NFKC').toLowerCase()
  const segments = new Intl.Segmenter('ja', { granularity: 'word' }).segment(normal)
  const words = Array.from(segments, ({ segment }) => segment).filter(
    (word) => /[\p{L}\p{N}]/u.test(word) && !/^[\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(word),
  )
  const known = new Set(words)
  const borrowed = normal.match(/[\p{Script=Katakana}ー]{2,}/gu) ?? []
  return [...words, ...borrowed.filter((word) => !known.has(word))]
}

/**
 * The weight of a section among the results: those of guides come before those of the reference and the decisions. It is sent to the
 * browser like the function above.
 *
 * @param {string} address of the section
 */
export function guidesFirst(address) {
  return /^\/(reference|decisions|lint|changelog)/.test(address) ? 0.25 : 1
}
