import { BatchWriteItemCommand, DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { isotherm } from '../client/isotherm.js'
import type { ShardedTableOptions } from '../client/options.js'
import type { Duration } from '../options/duration.js'
import { ensureShardMap } from '../protocol/shard-map/ensure-shard-map.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'

type Handle = (
  request: { readonly path: string; readonly headers: Readonly<Record<string, string>> },
  options: { readonly abortSignal?: AbortSignal },
) => Promise<unknown>

const Item = { pk: { S: 'k' }, sk: { N: '1' } }
const REQUESTS = {
  transaction: (tables: readonly string[]) =>
    new TransactWriteItemsCommand({
      TransactItems: tables.map((TableName) => ({ Put: { TableName, Item } })),
    }),
  batch: (tables: readonly string[]) =>
    new BatchWriteItemCommand({
      RequestItems: Object.fromEntries(tables.map((table) => [table, [{ PutRequest: { Item } }]])),
    }),
}

const KEYS = { partitionKey: 'pk', sortKey: 'sk' } as const
const movingWithin = (suffix: 'random' | 'calculated', lateRequests: Duration): ShardedTableOptions => ({
  ...KEYS,
  suffix,
  shards: dynamicShards(),
  cacheTtl: '10s',
  lateRequests,
})

it.each([
  ['transaction', 'calculated', 'last', ['patient', 'strict']],
  ['transaction', 'calculated', 'first', ['strict', 'patient']],
  ['transaction', 'calculated', 'first', ['strict', 'indexed', 'fixed']],
  ['batch', 'random', 'last', ['patient', 'strict']],
  ['batch', 'random', 'first', ['strict', 'indexed', 'fixed']],
] as const)(
  'a %s without a response ends with the least lateRequests of its tables with a %s suffix and a count that may change, which is that of the %s of %j',
  async (kind, suffix, _place, tables) => {
    const clock = new VirtualClock()
    const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
    const connection = local.connection()
    const client = await warmedUp(new DynamoDBClient(connection))
    await clock.run(async () => {
      for (const table of tables) {
        await client.send(createTable(table, ['pk', 'sk:N']))
        await ensureShardMap(client, { table, clock })
      }
      const db = isotherm(client, {
        tables: {
          patient: movingWithin(suffix, '5m'),
          strict: movingWithin(suffix, '5s'),
          fixed: { ...KEYS, suffix, shards: fixedShards(2), lateRequests: 0 },
          indexed: {
            ...KEYS,
            indexes: { by_status: { partitionKey: 'status', sortKey: 'sk', shards: fixedShards(2) } },
          },
        },
        clock,
        random: new SeededRandom(2),
      })
      const handler = connection.requestHandler as unknown as { handle: Handle }
      const handle = handler.handle.bind(handler)
      const ended: number[] = []
      handler.handle = (request, given) => {
        const isMeant = /TransactWrite|BatchWrite/.test(request.headers['x-amz-target'] ?? '')
        if (!isMeant || ended.length > 0) return handle(request, given)
        return new Promise((_resolve, reject) => {
          given.abortSignal?.addEventListener('abort', () => {
            ended.push(clock.now())
            reject(Object.assign(new Error('Request aborted'), { name: 'AbortError' }))
          })
        })
      }
      const from = clock.now()
      await db.send(REQUESTS[kind](tables) as never)
      expect(ended).toHaveLength(1)
      // The view ends after 10 seconds. A tenth of lateRequests is for rounding.
      expect((ended[0] ?? 0) - from).toBeLessThanOrEqual(13_000)
      db.destroy()
    })
    await local.close()
  },
)
