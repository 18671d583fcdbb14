import { IsothermError } from 'isotherm'
import { expect, it } from 'vitest'
import { serviceErrorOf } from './service-error-of.js'

it('an answer names commands, because its reader need not know TypeScript', () => {
  const missing = new IsothermError(
    'shard-map.missing',
    "Create it once with ensureShardMap(client, { table: 'orders' }).",
    { table: 'orders', shardMap: 'orders_shard_map' },
  )
  expect(serviceErrorOf(missing).error.message).toBe(
    'isotherm: Create it once with isotherm shards create-table --table orders. (shard-map.missing)',
  )
})
