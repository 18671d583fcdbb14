import { describe, expect, it } from 'vitest'
import { expressionOf, expressionOfRange } from './sort-expression.js'
import { after, from, rangeOf } from './sort-range.js'

const two = { N: '2' }
const six = { N: '6' }
const TWO_TO_SIX = rangeOf({ operator: 'between', from: two, to: six })
const textOf = (range: Parameters<typeof expressionOfRange>[0]) =>
  expressionOfRange(range).text.replace('#isotherm_sort', 'sort')

describe('the sort condition of a shard', () => {
  it('has both ends of a range, and excludes an end that is not in it', () => {
    const both = { ':isotherm_low': two, ':isotherm_high': six }
    expect(expressionOfRange(TWO_TO_SIX)).toMatchObject({ values: both, excluded: [] })
    expect(expressionOfRange(after(TWO_TO_SIX, two, 1))).toMatchObject({ values: both, excluded: [two] })
    expect(expressionOfRange(after(TWO_TO_SIX, six, -1))).toMatchObject({ values: both, excluded: [six] })
    expect(textOf(TWO_TO_SIX)).toBe('sort BETWEEN :isotherm_low AND :isotherm_high')
  })

  it('asks for one key where the range has only one', () => {
    expect(textOf(from(TWO_TO_SIX, six, 1))).toBe('sort = :isotherm_low')
    expect(expressionOfRange(after(TWO_TO_SIX, six, 1))).toMatchObject({ excluded: [six] })
    expect(textOf(after(TWO_TO_SIX, six, 1))).toContain('BETWEEN')
    expect(textOf(after(TWO_TO_SIX, two, -1))).toContain('BETWEEN')
  })

  it.each(['<', '<=', '>', '>='] as const)('has one end: %s', (operator) => {
    expect(textOf(rangeOf({ operator, value: two }))).toBe(`sort ${operator} :isotherm_low`)
    expect(expressionOfRange(rangeOf({ operator, value: two }))).toMatchObject({
      values: { ':isotherm_low': two },
      excluded: [],
    })
  })

  it('is none for everything', () => {
    const none = { text: '', values: {}, excluded: [] }
    expect(expressionOfRange(rangeOf(undefined))).toEqual(none)
    expect(expressionOf(undefined)).toEqual(none)
  })

  it('is the condition of the application until a part of the range was read', () => {
    const prefix = { S: 'a' }
    expect(expressionOf({ operator: 'begins_with', prefix })).toEqual({
      text: 'begins_with(#isotherm_sort, :isotherm_low)',
      values: { ':isotherm_low': prefix },
      excluded: [],
    })
    expect(expressionOf({ operator: 'between', from: two, to: six })).toEqual(expressionOfRange(TWO_TO_SIX))
    expect(expressionOf({ operator: '>', value: two })).toEqual(
      expressionOfRange(rangeOf({ operator: '>', value: two })),
    )
  })
})
