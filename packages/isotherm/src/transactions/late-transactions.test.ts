import { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { isotherm } from '../client/isotherm.js'
import type { ShardedTableOptions } from '../client/options.js'
import type { Duration } from '../options/duration.js'
import { ensureShardMap } from '../protocol/shard-map/ensure-shard-map.js'
import { dynamicShards } from '../scaling/shards.js'

type Handle = (
  request: { readonly path: string; readonly headers: Readonly<Record<string, string>> },
  options: { readonly abortSignal?: AbortSignal },
) => Promise<unknown>

it.each([
  ['last', ['patient', 'strict']],
  ['first', ['strict', 'patient']],
])(
  'a transaction without a response ends with the least lateRequests of its tables, which is that of the %s',
  async (_place, tables) => {
    const clock = new VirtualClock()
    const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
    const connection = local.connection()
    const client = await warmedUp(new DynamoDBClient(connection))
    await clock.run(async () => {
      for (const table of tables) {
        await client.send(createTable(table, ['pk', 'sk:N']))
        await ensureShardMap(client, { table, clock })
      }
      const optionsWith = (lateRequests: Duration): ShardedTableOptions => ({
        partitionKey: 'pk',
        sortKey: 'sk',
        suffix: 'calculated',
        shards: dynamicShards(),
        cacheTtl: '10s',
        lateRequests,
      })
      const db = isotherm(client, {
        tables: { patient: optionsWith('5m'), strict: optionsWith('5s') },
        clock,
        random: new SeededRandom(2),
      })
      const handler = connection.requestHandler as unknown as { handle: Handle }
      const handle = handler.handle.bind(handler)
      const ended: number[] = []
      handler.handle = (request, given) => {
        const isTransaction = `${request.path} ${request.headers['x-amz-target']}`.includes('TransactWrite')
        if (!isTransaction || ended.length > 0) return handle(request, given)
        return new Promise((_resolve, reject) => {
          given.abortSignal?.addEventListener('abort', () => {
            ended.push(clock.now())
            reject(Object.assign(new Error('Request aborted'), { name: 'AbortError' }))
          })
        })
      }
      const from = clock.now()
      const Item = { pk: { S: 'k' }, sk: { N: '1' } }
      const TransactItems = tables.map((TableName) => ({ Put: { TableName, Item } }))
      await db.send(new TransactWriteItemsCommand({ TransactItems }))
      expect(ended).toHaveLength(1)
      // The view ends after 10 seconds. A tenth of lateRequests is for rounding.
      expect((ended[0] ?? 0) - from).toBeLessThanOrEqual(13_000)
      db.destroy()
    })
    await local.close()
  },
)
