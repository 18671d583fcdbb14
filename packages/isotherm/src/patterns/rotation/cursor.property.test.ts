import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { fromCursor, type RangePosition, toCursor } from './cursor.js'

const numRuns = inject('trials') === 'many' ? 10_000 : 500

const values = fc.oneof(
  fc.string({ minLength: 1 }).map((S) => ({ S })),
  fc.integer().map((number) => ({ N: String(number) })),
  fc.uint8Array({ minLength: 1 }).map((bytes) => ({ B: Uint8Array.from(bytes) })),
)
const texts = fc.string({ minLength: 1 }).map((S) => ({ S }))
const readings = fc.record({
  table: fc.constant('log'),
  partition: values,
  forward: fc.boolean(),
  partitionKey: fc.constant('file'),
  sortKey: fc.constant('at'),
  sortKeyType: fc.constant('S' as const),
})
/** A reading, and a position that a page of it can end at. */
const cursors = readings.chain((reading) =>
  fc.tuple(
    fc.constant(reading),
    fc.record({
      period: fc.integer({ min: 0 }),
      after: fc.option(fc.record({ file: fc.constant(reading.partition), at: texts }), { nil: undefined }),
    }),
  ),
)
const positions: fc.Arbitrary<RangePosition> = cursors.map(([, position]) => position)

const refusal = expect.objectContaining({ code: 'rotation.cursor' })
const encoded = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url')

describe('the cursor of a range', () => {
  it('is the position that it was written for', () => {
    fc.assert(
      fc.property(cursors, ([reading, position]) => {
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
    const isKey = (value: unknown) =>
      value !== null &&
      typeof value === 'object' &&
      'file' in value &&
      'at' in value &&
      [value.file, value.at].every(
        (each) =>
          Array.isArray(each) && each.length === 2 && /^[SN]$/.test(each[0]) && typeof each[1] === 'string',
      )
    fc.assert(
      fc.property(cursors, after, fc.boolean(), ([reading, position], drawn, isMissing) => {
        fc.pre(isMissing || (drawn !== null && !isKey(drawn)))
        const content = JSON.parse(Buffer.from(toCursor(reading, position), 'base64url').toString())
        const altered = isMissing ? content.slice(0, 4) : [...content.slice(0, 4), drawn]
        expect(() => fromCursor(reading, encoded(altered))).toThrow(refusal)
      }),
      { numRuns },
    )
  })

  const reading = {
    table: 'log',
    partition: { S: '/a' },
    forward: true,
    partitionKey: 'file',
    sortKey: 'at',
    sortKeyType: 'S',
  } as const
  const numeric = { ...reading, partition: { N: '1' }, sortKeyType: 'N' } as const
  const key = { file: ['S', '/a'], at: ['S', '2026'] }
  it.each([
    ['without its sort key', { file: key.file }],
    ['without its partition key', { at: key.at }],
    ['with another attribute', { ...key, status: ['S', 'x'] }],
    ['with a partition key of another type', { ...key, file: ['N', '5'] }],
    ['with a sort key of another type', { ...key, at: ['N', '5'] }],
    ['with an empty sort key', { ...key, at: ['S', ''] }],
  ])('is refused if it has a key %s', (_name, after) => {
    const of = (altered: unknown) => encoded([1, ['S', '/a'], true, 0, altered])
    expect(fromCursor(reading, of(key)).after).toBeDefined()
    expect(() => fromCursor(reading, of(after))).toThrow(refusal)
  })

  it.each(['abc', '', '1e999', '1'.repeat(39)])('is refused if it has %j for a number', (text) => {
    const of = (sort: string) => encoded([1, ['N', '1'], true, 0, { file: ['N', '1'], at: ['N', sort] }])
    expect(fromCursor(numeric, of('5')).after).toBeDefined()
    expect(() => fromCursor(numeric, of(text))).toThrow(refusal)
  })

  it('is refused if its period is no date', () => {
    const cursor = encoded([1, ['S', '/a'], true, 1e300, null])
    expect(() => fromCursor(reading, cursor)).toThrow(refusal)
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
      fc.property(cursors, fc.nat(), ([reading, position], length) => {
        const whole = toCursor(reading, position)
        // The text before the last two characters cannot be all of the JSON.
        const cut = whole.slice(0, length % (whole.length - 2))
        expect(() => fromCursor(reading, cut)).toThrow(refusal)
      }),
      { numRuns },
    )
  })
})
