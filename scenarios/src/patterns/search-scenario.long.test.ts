import { expect, it } from 'vitest'
import { runSearch } from './search-scenario.js'

it('an import of one tenant is throttled to its end by one key of the index, and soon no longer by shards', async () => {
  const report = await runSearch({ seed: 1, scale: 0.7 })
  expect(report.isGood).toBe(true)
  const figures = Object.fromEntries(report.rows.map(({ name, values }) => [name, values]))
  expect(figures["shards of the tenant's list"]?.[1]).toBeGreaterThan(1)
  expect(figures['of the newest 100 in their order']).toEqual([100, 100])
})
