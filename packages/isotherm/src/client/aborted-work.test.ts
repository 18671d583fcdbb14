import { DeleteTableCommand, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { expect, it } from 'vitest'
import { type ShardedEngine, shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards } from '../scaling/shards.js'
import { backfillIndexes } from './backfill-indexes.js'
import type { ShardedTableOptions } from './options.js'
import { rebuildShardMap } from './rebuild-shard-map.js'
import { unshardTable } from './unshard-table.js'

const OPTIONS: ShardedTableOptions = {
  partitionKey: 'pk',
  sortKey: 'sk',
  suffix: 'calculated',
  shards: dynamicShards(),
}
const REQUESTS = 20

type Work = (engine: ShardedEngine, signal: AbortSignal) => Promise<unknown>

/** How the work ends if its signal aborts right before this request of it. */
async function endOf(work: Work, request: number): Promise<unknown> {
  const engine = await shardedEngine(OPTIONS)
  const { client, clock } = engine
  const reason = new Error('the reason')
  const end = await clock.run(async () => {
    const db = engine.process()
    for (let sk = 0; sk < 12; sk++) {
      await db.send(new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' }, sk: { N: String(sk) } } }))
    }
    await db.shards('log', 'k').set(3)
    await db.shards('log', 'k').drain()
    await client.send(createTable('log_copy', ['pk', 'sk:N']))
    const aborting = new AbortController()
    let sent = 0
    client.middlewareStack.add(
      (next) => (args) => {
        sent += 1
        if (sent === request) aborting.abort(reason)
        return next(args)
      },
      { step: 'initialize', priority: 'high', name: 'aborting' },
    )
    return work(engine, aborting.signal).then(
      () => 'completed',
      (error: unknown) => (error === reason ? 'reason' : error),
    )
  })
  await engine.close()
  return end
}

const client = (engine: ShardedEngine) => engine.client as DynamoDBClient

it.each<[string, Work]>([
  [
    'rebuildShardMap',
    async (engine, signal) => {
      await client(engine).send(new DeleteTableCommand({ TableName: 'log_shard_map' }))
      const { clock } = engine
      await rebuildShardMap(client(engine), { table: 'log', options: OPTIONS, clock, signal })
    },
  ],
  [
    'unshardTable',
    (engine, signal) => {
      const { clock } = engine
      const given = { table: 'log', options: OPTIONS, to: 'log_copy', deleteOthers: true, clock, signal }
      return unshardTable(client(engine), given)
    },
  ],
  [
    'backfillIndexes',
    (engine, signal) => {
      const indexes = { by_status: { partitionKey: 'status', shards: dynamicShards() } }
      const { clock } = engine
      const given = { table: 'log', options: { ...OPTIONS, indexes }, clock, signal }
      return backfillIndexes(client(engine), given)
    },
  ],
  ['migrate', (engine, signal) => engine.process().migrate('log', { initial: 2, keys: 'all', signal })],
  ['price', (engine, signal) => engine.process().shards('log', 'k').price(1, { signal })],
  ['drain', (engine, signal) => engine.process().shards('log', 'k').drain({ signal })],
])('%s rejects with the reason of the signal, at whatever request it aborts', async (_name, work) => {
  const ends: unknown[] = []
  for (let request = 1; request <= REQUESTS; request++) ends.push(await endOf(work, request))
  expect(ends.filter((end) => end !== 'reason' && end !== 'completed')).toEqual([])
})
