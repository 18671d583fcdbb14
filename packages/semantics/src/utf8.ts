const FIRST_SURROGATE = 0xd800
const LAST_SURROGATE = 0xdfff
/** For longer strings native code is faster than the loop, in spite of the cost of its call. */
const LOOP_LENGTH = 16

/**
 * Order of two strings by their UTF-8 bytes, which is DynamoDB's order: below 0, 0 or above 0.
 *
 * JavaScript compares UTF-16 units. The two orders differ only where a surrogate pair (above U+FFFF) meets a character
 * from U+E000 to U+FFFF.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
 */
export function compareStrings(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let index = 0; index < shorter; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return codePointRank(left) - codePointRank(right)
  }
  return a.length - b.length
}

/** Ranks surrogates above all other units, where their code points are. */
function codePointRank(unit: number): number {
  return unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE ? unit + 0x1_0000 : unit
}

/** The number of UTF-8 bytes of a string, counted without encoding it. A lone surrogate counts as U+FFFD: 3. */
export function utf8Length(text: string): number {
  if (text.length > LOOP_LENGTH) return Buffer.byteLength(text, 'utf8')
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    if (unit < 0x800) bytes += 1
    else if (isPairAt(text, index)) {
      bytes += 2
      index++
    } else bytes += 2
  }
  return bytes
}

function isPairAt(text: string, index: number): boolean {
  const first = text.charCodeAt(index)
  if (first < FIRST_SURROGATE || first > 0xdbff) return false
  const second = text.charCodeAt(index + 1)
  return second >= 0xdc00 && second <= LAST_SURROGATE
}
