import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { fromCursor, type RangePosition, toCursor } from './cursor.js'

const numRuns = inject('trials') === 'many' ? 10_000 : 500

const values = fc.oneof(
  fc.string().map((S) => ({ S })),
  fc.integer().map((number) => ({ N: String(number) })),
  fc.uint8Array().map((bytes) => ({ B: Uint8Array.from(bytes) })),
)
const readings = fc.record({ table: fc.constant('log'), partition: values, forward: fc.boolean() })
const positions: fc.Arbitrary<RangePosition> = fc.record({
  period: fc.integer({ min: 0 }),
  after: fc.option(fc.record({ file: values, at: values }), { nil: undefined }),
})

const refusal = expect.objectContaining({ code: 'rotation.cursor' })
const encoded = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url')

describe('the cursor of a range', () => {
  it('is the position that it was written for', () => {
    fc.assert(
      fc.property(readings, positions, (reading, position) => {
        expect(fromCursor(reading, toCursor(reading, position))).toEqual(position)
      }),
      { numRuns },
    )
  })

  it('of another key or direction is refused', () => {
    fc.assert(
      fc.property(readings, readings, fc.boolean(), positions, (reading, drawn, isTurned, position) => {
        const other = isTurned ? { ...reading, forward: !reading.forward } : drawn
        fc.pre(JSON.stringify(reading) !== JSON.stringify(other))
        expect(() => fromCursor(reading, toCursor(other, position))).toThrow(refusal)
      }),
      { numRuns },
    )
  })

  it('is refused if its position is drawn', () => {
    const after = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom('file', 'at'), fc.jsonValue(), { minKeys: 1 }),
      fc.record({ file: fc.tuple(fc.constantFrom('S', 'N', 'L', ''), fc.jsonValue()) }),
    )
    const isItem = (value: unknown) =>
      value !== null &&
      typeof value === 'object' &&
      !Array.isArray(value) &&
      Object.values(value).every(
        (each) =>
          Array.isArray(each) && each.length === 2 && /^[SN]$/.test(each[0]) && typeof each[1] === 'string',
      )
    fc.assert(
      fc.property(readings, positions, after, fc.boolean(), (reading, position, drawn, isMissing) => {
        fc.pre(isMissing || (drawn !== null && !isItem(drawn)))
        const content = JSON.parse(Buffer.from(toCursor(reading, position), 'base64url').toString())
        const altered = isMissing ? content.slice(0, 4) : [...content.slice(0, 4), drawn]
        expect(() => fromCursor(reading, encoded(altered))).toThrow(refusal)
      }),
      { numRuns },
    )
  })

  it('is refused if it is drawn, or cut', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.jsonValue().map(encoded),
      fc.array(fc.jsonValue(), { maxLength: 6 }).map(encoded),
      fc.anything().filter((value) => value !== undefined),
    )
    fc.assert(
      fc.property(readings, anything, (reading, cursor) => {
        expect(() => fromCursor(reading, cursor)).toThrow(refusal)
      }),
      { numRuns },
    )
    fc.assert(
      fc.property(readings, positions, fc.nat(), (reading, position, length) => {
        const whole = toCursor(reading, position)
        // The text before the last two characters cannot be all of the JSON.
        const cut = whole.slice(0, length % (whole.length - 2))
        expect(() => fromCursor(reading, cut)).toThrow(refusal)
      }),
      { numRuns },
    )
  })
})
