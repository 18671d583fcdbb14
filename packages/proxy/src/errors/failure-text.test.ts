import { IsothermError } from 'isotherm'
import { expect, it } from 'vitest'
import { failureText } from './failure-text.js'

const missing = (shardMap: string) =>
  new IsothermError(
    'shard-map.missing',
    "Create it once with ensureShardMap(client, { table: 'orders' }), or name another with the option shardMap.",
    { table: 'orders', shardMap },
  )

it('names the command that creates a shard map, and the map if it has another name', () => {
  expect(failureText(missing('orders_shard_map'))).toBe(
    'Create it once with isotherm shards create-table --table orders, or name another with the option shardMap.',
  )
  expect(failureText(missing('counts'))).toContain('--table orders --shard-map counts, or')
})
