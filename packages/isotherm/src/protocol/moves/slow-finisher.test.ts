import {
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { scanned, shardedEngine } from '../../../test/sharded-engine.js'
import { isotherm } from '../../client/isotherm.js'
import { dynamicShards } from '../../scaling/shards.js'
import { MOVE_ATTRIBUTES } from './move-attributes.js'

const LOG = {
  partitionKey: 'pk',
  sortKey: 'sk',
  suffix: 'random',
  cacheTtl: '2s',
  lateRequests: '1s',
  transactions: false,
} as const
const KEY = { pk: { S: 'k' }, sk: { N: '1' } }

const UPDATE = new UpdateItemCommand({
  TableName: 'log',
  Key: KEY,
  UpdateExpression: 'SET seen = :yes',
  ExpressionAttributeValues: { ':yes': { S: 'yes' } },
})

const QUERY = new QueryCommand({
  TableName: 'log',
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': { S: 'k' } },
  ConsistentRead: true,
})

describe('without transactions, who stands still before it puts the copy of an item', () => {
  it.each([
    ['it met before', (retire: () => Promise<void>, update: () => Promise<void>) => [update, retire]],
    ['it met after', (retire: () => Promise<void>, update: () => Promise<void>) => [retire, update]],
  ])(
    'that %s its target was retired leaves nothing in a shard that was forgotten',
    async (_case, inOrder) => {
      const engine = await shardedEngine({ suffix: 'random', shards: dynamicShards() })
      const { client, clock } = engine
      const processOf = (seed: number, under = client) =>
        isotherm<DynamoDBClient>(under, {
          tables: { log: { ...LOG, shards: dynamicShards({ quiet: false }) } },
          clock,
          random: new SeededRandom(seed),
        })
      const send = async (command: unknown, options?: unknown) => {
        if (command instanceof PutItemCommand && command.input.TableName === 'log') await clock.sleep(60_000)
        return client.send(command as never, options as never)
      }
      const slow = processOf(1, Object.create(client, { send: { value: send } }))
      const other = processOf(2)
      const byHand = other.shards('log', 'k')
      await clock.run(async () => {
        await byHand.set(8)
        await byHand.set(4)
        // A drain that crashes at this point leaves such an item.
        const Item = { ...KEY, pk: { S: 'k_7' }, [MOVE_ATTRIBUTES.moving]: { S: '3:99' } }
        await client.send(new PutItemCommand({ TableName: 'log', Item }))
        const [first, second] = inOrder(
          async () => void (await byHand.set(2)),
          async () => void (await slow.send(UPDATE)),
        )
        const begun = first?.()
        await clock.sleep(100)
        await Promise.all([begun, second?.(), byHand.drain()])
        await clock.sleep(120_000)
        expect(await byHand.read()).toMatchObject({ shards: 2, readableShards: 2, phase: 'settled' })
        const shards = (await scanned(client, 'log')).map(({ pk }) => Number(pk?.S?.slice(2)))
        expect(shards.filter((shard) => shard > 2)).toEqual([])
        await byHand.set(4)
        const { Items } = await other.send(QUERY)
        expect(Items).toEqual([{ ...KEY, seen: { S: 'yes' } }])
      })
      await engine.close()
    },
  )
})
