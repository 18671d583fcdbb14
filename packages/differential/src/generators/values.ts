import fc, { type Arbitrary } from 'fast-check'
import { numberText, wrongNumberText } from './numbers.js'
import { weighted } from './weighted.js'

/** An attribute value in the form of the wire: valid or not. */
export type WireValue = unknown

/** Few strings, so that equal ones occur; the order of some differs between UTF-8 and UTF-16. */
export const text: Arbitrary<string> = weighted(
  [8, fc.constantFrom('a', 'b', 'c', 'ab', 'abc', '1', 'S', 'N')],
  [2, fc.constantFrom('', 'ä', '\u{1F600}', '\uFF5E', '\u0000', '"', '\\', ' ', 'a b', '\n')],
  [1, fc.string({ unit: 'binary', maxLength: 6 }).map(wellFormed)],
)

/** Lone surrogates are removed, because each side encodes them in its own way. */
function wellFormed(value: string): string {
  return value.replace(/[\uD800-\uDFFF]/gu, '?')
}

const base64: Arbitrary<string> = weighted(
  [4, fc.constantFrom('AA==', 'AQ==', 'YQ==', 'YWI=', 'YWJj', '/w==')],
  [1, fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString('base64'))],
)

const scalar = weighted<WireValue>(
  [4, text.map((S) => ({ S }))],
  [4, numberText.map((N) => ({ N }))],
  [1, base64.map((B) => ({ B }))],
  [1, fc.boolean().map((BOOL) => ({ BOOL }))],
  [1, fc.constant({ NULL: true })],
)

const distinctNumbers = fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 4 })

export const setValue: Arbitrary<WireValue> = fc.oneof(
  fc
    .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', ''), { minLength: 1, maxLength: 4 })
    .map((SS) => ({ SS })),
  distinctNumbers.map((numbers) => ({ NS: numbers.map(String) })),
  fc
    .uniqueArray(fc.constantFrom('AA==', 'AQ==', 'YQ==', ''), { minLength: 1, maxLength: 3 })
    .map((BS) => ({ BS })),
)

/** Values that DynamoDB accepts, including documents. */
export const value: Arbitrary<WireValue> = fc.letrec<{ any: WireValue; list: WireValue; map: WireValue }>(
  (tie) => ({
    list: fc.array(tie('any'), { maxLength: 3 }).map((L) => ({ L })),
    map: fc
      .dictionary(fc.constantFrom('a', 'b', 'x', 'y', 'z'), tie('any'), { maxKeys: 3, noNullPrototype: true })
      .map((M) => ({ M })),
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 6, arbitrary: scalar },
      { weight: 2, arbitrary: setValue },
      { weight: 1, arbitrary: tie('list') },
      { weight: 1, arbitrary: tie('map') },
    ),
  }),
).any

/** Lists and maps nested to the given depth. */
export function nested(depth: number): WireValue {
  let inner: WireValue = { S: 'deep' }
  for (let level = 0; level < depth; level++) inner = level % 2 === 0 ? { L: [inner] } : { M: { x: inner } }
  return inner
}

/** Values that are invalid in one of the possible ways. */
export const wrongValue: Arbitrary<WireValue> = fc.oneof(
  wrongNumberText.map((N) => ({ N })),
  wrongNumberText.map((N) => ({ NS: ['1', N] })),
  fc.constantFrom<WireValue>(
    {},
    { S: 'a', N: '1' },
    { S: 'a', X: 'b' },
    { X: 'b' },
    { SS: [] },
    { NS: [] },
    { BS: [] },
    { SS: ['a', 'a'] },
    { NS: ['1', '1.0'] },
    { NS: ['2', '1', '2'] },
    { BS: ['AA==', 'AA=='] },
    { NULL: false },
    { L: [{}] },
    { M: { a: {} } },
    { L: [{ N: 'x' }] },
    { M: { a: { SS: [] } } },
    { L: [{ S: 'a', N: '1' }] },
    { M: { '': { S: 'a' } } },
    nested(32),
    nested(33),
  ),
)
