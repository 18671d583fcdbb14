import { bindCondition, type Item, Placeholders, parseCondition } from '@isotherm/semantics'
import { describe, expect, it } from 'vitest'
import { filteredItems } from './filtered-items.js'

const CONDITIONS = 100
const values = Object.fromEntries(Array.from({ length: CONDITIONS }, (_, n) => [`:v${n}`, { N: `${2 * n}` }]))
const text = Object.keys(values)
  .map((value) => `a = ${value}`)
  .join(' OR ')
const filter = bindCondition(
  'FilterExpression',
  parseCondition('FilterExpression', text),
  new Placeholders({}, values),
)
const stored = (count: number, bytes = 10) =>
  Array.from({ length: count }, (_, n) => ({ item: { a: { N: `${n % 300}` } } satisfies Item, bytes }))
const isKept = ({ item: { a } }: { item: { a: { N: string } } }) => Number(a.N) % 2 === 0 && Number(a.N) < 200

/** How many turns of the event loop pass until a promise is settled. */
async function turnsOf(promise: Promise<unknown>): Promise<number> {
  let turns = 0
  let isSettled = false
  void promise.finally(() => {
    isSettled = true
  })
  for (; !isSettled; turns++) await new Promise((resolve) => setImmediate(resolve))
  return turns
}

describe('the items that a filter keeps', () => {
  it('are found at once in a small page', () => {
    const items = stored(300)
    expect(filteredItems(items, filter)).toEqual(items.filter(isKept))
    expect(filteredItems(items, undefined)).toHaveLength(300)
  })

  it('are found over many turns of the event loop in a large page', async () => {
    const items = stored(20_000)
    const kept = filteredItems(items, filter)
    expect(kept).toBeInstanceOf(Promise)
    // Two million conditions, and 50,000 in each turn.
    expect(await turnsOf(kept as Promise<unknown>)).toBeGreaterThanOrEqual(40)
    expect(await kept).toEqual(items.filter(isKept))
  })

  it('are found over more turns when the items are large', async () => {
    const kept = filteredItems(stored(300, 50_000), filter)
    expect(await turnsOf(kept as Promise<unknown>)).toBeGreaterThanOrEqual(40)
  })
})
