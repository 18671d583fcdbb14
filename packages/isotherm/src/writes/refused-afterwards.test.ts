import {
  BatchWriteItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { retryAtOnce } from '../../test/retry-at-once.js'
import { scanned, shardedEngine } from '../../test/sharded-engine.js'
import { hotPartitionError } from '../../test/throttling.js'
import { dynamicShards } from '../scaling/shards.js'

const ITEM = { pk: { S: 'k' }, sk: { N: '1' } }
const UPDATE = {
  TableName: 'log',
  Key: ITEM,
  UpdateExpression: 'ADD seen :one',
  ExpressionAttributeValues: { ':one': { N: '1' } },
}

const WRITES = {
  put: new PutItemCommand({ TableName: 'log', Item: ITEM }),
  batch: new BatchWriteItemCommand({ RequestItems: { log: [{ PutRequest: { Item: ITEM } }] } }),
  update: new UpdateItemCommand(UPDATE),
  transaction: new TransactWriteItemsCommand({ TransactItems: [{ Update: UPDATE }] }),
}

/** A write whose first attempt takes effect without a response. From then on, the given table is throttled. */
async function told(write: keyof typeof WRITES, throttledTable: 'log' | 'log_shard_map', pause: number) {
  const shards = dynamicShards({ quiet: false })
  const engine = await shardedEngine({ suffix: 'random', shards, cacheTtl: '10s' })
  const { clock, client } = engine
  await engine.setState({ shards: 5, lastUpdated: 1, history: ['1:5'] })
  const db = engine.process()
  let retries = 0
  retryAtOnce(client, async () => {
    retries += 1
    if (retries > 3) throw new Error('no more')
    await clock.sleep(pause)
  })
  let isWritten = false
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const isMap = 'TableName' in args.input && args.input.TableName === 'log_shard_map'
        if (isWritten && isMap === (throttledTable === 'log_shard_map')) throw hotPartitionError()
        const output = await next(args)
        if (isMap || commandName !== WRITES[write].constructor.name) return output
        isWritten = true
        throw Object.assign(new Error('No answer came.'), { name: 'TimeoutError' })
      },
    { step: 'deserialize', priority: 'high', name: 'lost' },
  )
  const outcome = await clock.run(() =>
    db.send(WRITES[write] as PutItemCommand).then(
      () => 'written',
      (error: Error) => error.message,
    ),
  )
  client.middlewareStack.remove('lost')
  const copies = (await scanned(client, 'log')).length
  await engine.close()
  return { outcome, copies }
}

describe.each(['put', 'batch', 'update', 'transaction'] as const)(
  'a %s without a response is reported as such, and not as rejected, because afterwards',
  (write) => {
    it.each([
      ['it is throttled', 'log', 0],
      ['the shard map is', 'log_shard_map', 14_000],
    ] as const)('%s', async (_case, throttledTable, pause) => {
      expect(await told(write, throttledTable, pause)).toEqual({ outcome: 'No answer came.', copies: 1 })
    })
  },
)
