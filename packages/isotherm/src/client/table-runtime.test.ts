import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { bareClient } from '../../test/fake-client.js'
import { FakeTables } from '../../test/fake-tables.js'
import { MemoryCache } from '../../test/shared-map.js'
import type { LogicalKey } from '../keys/key.js'
import { dynamicShards } from '../scaling/shards.js'
import { EVERYTHING } from './everything.js'
import { parseOptions } from './parse-options.js'
import { openTable } from './table-runtime.js'

const key = { S: 'k' } as LogicalKey & { readonly S: string }

/** The shared texts of two processes after each has written to the key, and how often they read the shard map. */
async function shared(suffix: 'random' | 'calculated') {
  const cache = new MemoryCache()
  const tables = new FakeTables()
    .create('log', { partitionKey: 'pk', sortKey: 'at' })
    .create('log_shard_map', { partitionKey: 'pk' })
  // Without a card, a shard map with an item makes one that lists all keys.
  const Item = { pk: key, number_of_shards: { N: '3' }, last_updated: { N: '1' } }
  tables.execute('PutItem', { TableName: 'log_shard_map', Item })
  for (let process = 0; process < 2; process++) {
    const options = parseOptions(
      {
        tables: { log: { partitionKey: 'pk', sortKey: 'at', suffix, shards: dynamicShards({ initial: 3 }) } },
        secondLevelCache: { cache },
        clock: new VirtualClock(1_800_000_000_000),
        random: new SeededRandom(process),
      },
      EVERYTHING,
    )
    const [table] = options.tables
    if (table === undefined) throw new Error('The options have one table.')
    const runtime = openTable(table, {
      ...options,
      client: bareClient(tables),
      routeOf: undefined,
      openIndexCounts: undefined,
      openIndexChecks: undefined,
      openRebalancer: EVERYTHING.options.openRebalancer,
      destroyed: new AbortController().signal,
    })
    expect((await runtime.views.forWrite(key)).shards).toBe(3)
  }
  const reads = tables.requests.filter(
    ({ operation, input }) => operation === 'GetItem' && input.Key.pk.S === key.S,
  ).length
  return { texts: cache.texts.size, reads }
}

describe('the shard map of a table', () => {
  it('is read once by two processes that share a cache, if the suffix is random', async () => {
    expect(await shared('random')).toEqual({ texts: 1, reads: 1 })
  })

  it('is read by each of them, if the suffix is calculated, because its changes must not depend on clocks', async () => {
    expect(await shared('calculated')).toEqual({ texts: 0, reads: 2 })
  })
})
