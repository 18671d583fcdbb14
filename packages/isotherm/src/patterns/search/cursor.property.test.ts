import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { fromCursor, toCursor } from './cursor.js'
import { isPosition, positionOf } from './model/position.js'

const numRuns = inject('trials') === 'many' ? 10_000 : 500

const owners = fc.record({
  table: fc.constant('contacts'),
  tenant: fc.constantFrom('a', 'ab', 'あ'),
  reading: fc.oneof(
    fc.tuple(fc.constant('list'), fc.constantFrom('item', 'link')),
    fc.tuple(
      fc.constantFrom('prefix', 'substring'),
      fc.constant(null),
      fc.array(fc.string(), { maxLength: 2 }),
    ),
  ),
})
const positions = fc
  .tuple(
    fc.nat(),
    fc.string({ minLength: 1, maxLength: 20 }).filter((id) => /^\P{Cc}+$/u.test(id)),
  )
  .map(([createdAt, id]) => positionOf(createdAt, id))

const refusal = expect.objectContaining({ code: 'search.cursor' })

/** The position, or nothing for a cursor that is refused in the documented way. Any other error fails the test. */
function read(owner: Parameters<typeof fromCursor>[0], cursor: unknown): string | undefined {
  try {
    return fromCursor(owner, cursor)
  } catch (error) {
    expect(error).toEqual(refusal)
    return undefined
  }
}

describe('the cursor of a list or a search', () => {
  it('is the position that it was written for, and is refused for another reading', () => {
    fc.assert(
      fc.property(owners, owners, positions, (owner, other, position) => {
        const cursor = toCursor(owner, position)
        expect(fromCursor(owner, cursor)).toBe(position)
        fc.pre(JSON.stringify(owner) !== JSON.stringify(other))
        expect(() => fromCursor(other, cursor)).toThrow(refusal)
      }),
      { numRuns },
    )
  })

  it('is refused if it is drawn', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
      fc.anything().filter((value) => value !== undefined),
    )
    fc.assert(
      fc.property(owners, anything, (owner, cursor) => {
        expect(() => fromCursor(owner, cursor)).toThrow(refusal)
      }),
      { numRuns },
    )
  })

  it('with another character somewhere is refused, or is a position of the same reading', () => {
    const letters = fc.constantFrom(...'ABYZabyz0189-_')
    fc.assert(
      fc.property(owners, positions, fc.nat(), letters, (owner, position, at, letter) => {
        const whole = toCursor(owner, position)
        const place = at % whole.length
        const altered = read(owner, `${whole.slice(0, place)}${letter}${whole.slice(place + 1)}`)
        if (altered !== undefined) expect(isPosition(altered)).toBe(true)
      }),
      { numRuns },
    )
  })
})
