import { expect, it } from 'vitest'
import { csvEntries } from './csv-entries.js'

const DEFINITION = {
  name: 'orders',
  schema: { hash: [{ name: 'id', type: 'S' }], range: [] },
  attributes: [{ name: 'id', type: 'S' }],
  billingMode: 'PAY_PER_REQUEST',
  throughput: { readUnits: 0, writeUnits: 0 },
  indexes: [],
  deletionProtection: false,
} as const

it('an object of many rows that cannot be read gives an error for each, and few of them at once', async () => {
  const bad = 5_000
  async function* pieces() {
    yield Buffer.from('id,n\nfirst,1\n')
    for (let row = 0; row < bad; row++) yield Buffer.from(`x"${row},1\n`)
    yield Buffer.from('last,2\n')
  }
  const lines = new Set<number>()
  let [items, errors] = [0, 0]
  for await (const entries of csvEntries(pieces(), { type: 'CSV' }, DEFINITION)) {
    expect(entries.length).toBeLessThan(512)
    for (const { item, error, line } of entries) {
      if (item === undefined) errors++
      else items++
      if (error?.startsWith('Invalid')) lines.add(line)
    }
  }
  expect([items, errors]).toEqual([2, bad])
  expect([...lines].slice(0, 3)).toEqual([3, 4, 5])
})
