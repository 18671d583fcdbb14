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

it('names the upstream in place of the client that a program gave to the library', () => {
  const refused = new IsothermError(
    'command.unsupported',
    'Use commands such as Query and PutItem, or send it through the client that isotherm was given.',
    { operation: 'ExecuteStatement', table: 'orders' },
  )
  expect(failureText(refused)).toBe(
    'Use commands such as Query and PutItem, or send it to the upstream of the proxy.',
  )
})
