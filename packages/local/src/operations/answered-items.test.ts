import type { Item } from '@isotherm/semantics'
import { describe, expect, it } from 'vitest'
import { PrintedItem } from '../table/printed-item.js'
import { AnsweredItem, AnsweredItems, printAnswer, withValues } from './answered-items.js'

const items: readonly Item[] = [
  { pk: { S: 'a "quoted" name' }, ['__proto__']: { N: '1' } },
  { pk: { S: 'Ünïcødé 🌡' }, map: { M: { list: { L: [{ BOOL: true }, { NULL: true }] } } } },
]
const stored = items.map((item) => new PrintedItem(item, 1))
const page = () => ({ Count: 2, Items: new AnsweredItems(stored), LastEvaluatedKey: undefined })
const [first = new PrintedItem({}, 0)] = stored

describe('the response with stored items', () => {
  it('is printed as the same response with values', () => {
    const answers = [
      page,
      () => ({ Items: new AnsweredItems([]), Count: 0 }),
      () => ({ Items: new AnsweredItems(items.map((item) => new PrintedItem(item, 1_000))) }),
      () => ({ Item: new AnsweredItem(first), ConsumedCapacity: { CapacityUnits: 0.5 } }),
      () => ({ Item: new AnsweredItem({ item: items[1] ?? {}, bytes: 1 }) }),
      () => ({ Item: { Item: { S: 'x' } } }),
      () => ({}),
    ]
    for (const answer of answers) {
      const expected = JSON.stringify(withValues<object>(answer()))
      expect(printAnswer(answer())).toBe(expected)
      expect(printAnswer(answer())).toBe(expected)
    }
  })

  it('has values for callers in the same process', () => {
    expect(withValues<object>(page())).toEqual({ Count: 2, Items: items })
    expect(withValues<object>({ Item: new AnsweredItem(first) })).toEqual({ Item: items[0] })
  })
})
