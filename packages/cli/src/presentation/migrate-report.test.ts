import { expect, it } from 'vitest'
import { migrationText } from './migrate-report.js'

it('a migration has one initial shard in the singular', () => {
  const price = { items: 40, movingItems: 0, readUnits: 0, writeUnits: 0, seconds: 0 }
  const result = { price, ownCounts: 0, from: 1, to: 1 }
  const dry = migrationText('orders', { ...result, outcome: 'dry-run' }, 'cold')
  expect(dry).toMatch(/^orders from 1 initial shard to 1: no item/)
  expect(migrationText('orders', { ...result, outcome: 'settled' }, 'cold')).toBe(
    'orders has 1 initial shard.',
  )
})
