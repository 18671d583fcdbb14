import type { Normalizer } from './normalizer.js'

/** A range of a value that matches the query, in UTF-16 units as `String.slice` takes them. */
export type Highlight = readonly [from: number, to: number]

/** Ranges of one value, and units of it that are looked at. */
const MAX_RANGES = 20
const MAX_UNITS = 1_000

/** Units of a query that are looked for without its beginning, at least. */
const MIN_REST = 2

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * Where a value contains a normalized query. Each grapheme is normalized by itself, so that the place of each character is known. A
 * normalizer that looks at whole words, such as that of company names, leaves single characters as they are.
 *
 * @param atStart whether the query only matches at the beginning of the value or of a word
 */
export function highlightsOf(
  value: string,
  query: string,
  normalize: Normalizer,
  atStart: boolean,
): readonly Highlight[] {
  const whole = mapped(value, normalize)
  const found = rangesOf(whole, query, atStart)
  if (found.length > 0 || whole.text === normalize(value)) return found
  // The normalizer has put something else before the rest, such as the trunk digit of a phone number in the place of its country.
  for (let cut = 1; query.length - cut >= MIN_REST; cut++) {
    const rest = rangesOf(whole, query.slice(cut), false)
    if (rest.length > 0) return rest
  }
  return []
}

function rangesOf({ text, from, to }: Mapped, query: string, atStart: boolean): readonly Highlight[] {
  const ranges: Highlight[] = []
  let inside: Highlight | undefined
  for (let at = text.indexOf(query); at >= 0 && ranges.length < MAX_RANGES; ) {
    const first = from[at]
    const last = to[at + query.length - 1]
    const fits = !atStart || at === 0 || text[at - 1] === ' '
    if (first !== undefined && last !== undefined) {
      if (fits) ranges.push([first, last])
      else inside ??= [first, last]
    }
    at = text.indexOf(query, fits ? at + query.length : at + 1)
  }
  // The normalizer has removed the words before it.
  return ranges.length === 0 && inside !== undefined ? [inside] : ranges
}

interface Mapped {
  readonly text: string
  /** For each unit of the text, the range of the value that it comes from. */
  readonly from: readonly number[]
  readonly to: readonly number[]
}

/** The normalized text, and for each of its units the range of the value that it comes from. */
function mapped(value: string, normalize: Normalizer): Mapped {
  let text = ''
  const from: number[] = []
  const to: number[] = []
  for (const { segment, index } of GRAPHEMES.segment(value.slice(0, MAX_UNITS))) {
    const piece = /^\s+$/u.test(segment) ? normalizedSpace(normalize, text) : normalize(segment)
    text += piece
    for (let unit = 0; unit < piece.length; unit++) {
      from.push(index)
      to.push(index + segment.length)
    }
  }
  return { text, from, to }
}

/** A space between words, unless the normalizer removes spaces, as that of phone numbers does. */
function normalizedSpace(normalize: Normalizer, before: string): string {
  return before === '' || before.endsWith(' ') || normalize('1 1') === '11' ? '' : ' '
}
