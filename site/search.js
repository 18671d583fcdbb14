/**
 * Splits a text into the words that the search finds. Japanese has no spaces between words.
 *
 * It is sent to the browser as its own source, so it uses nothing from outside.
 *
 * @param {string} text
 */
export function wordsOf(text) {
  const segments = new Intl.Segmenter('ja', { granularity: 'word' }).segment(text)
  return Array.from(segments, ({ segment }) => segment.toLowerCase()).filter((word) =>
    /[\p{L}\p{N}]/u.test(word),
  )
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
