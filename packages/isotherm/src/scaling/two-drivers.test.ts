import {
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, shardedEngine } from '../../test/sharded-engine.js'
import { isotherm } from '../client/isotherm.js'
import type { ShardedTableOptions } from '../client/options.js'
import type { AnyCommand } from '../sdk/physical-client.js'
import { dynamicShards } from './shards.js'

type Send = (command: AnyCommand) => Promise<unknown>

const LOG = { partitionKey: 'pk', sortKey: 'sk', suffix: 'random' } as const
const KEY = { pk: { S: 'k' }, sk: { N: '1' } }

/**
 * A slow driver that pauses before it reads pages of its source shards, a quick driver, and a reader of a page. While
 * the reader reads, the slow driver moves the items that it found in the fourth shard.
 *
 * @param releases for each shard, the seconds at which its pages are requested, in order
 */
function slowAndQuick(
  { client, clock }: ShardedEngine,
  options: Partial<ShardedTableOptions>,
  releases: Readonly<Record<string, number[]>>,
) {
  const began = clock.now()
  const at = (seconds: number) => clock.sleep(Math.max(0, began + seconds * 1_000 - clock.now()))
  const until = async (holds: () => boolean) => {
    const last = clock.now() + 2_000
    while (!holds() && clock.now() < last) await clock.sleep(10)
  }
  let isMoved = false
  let isRestRead = false
  const slowly: Send = async (command) => {
    if (command instanceof QueryCommand) await at(releases[partitionOf(command)]?.shift() ?? 0)
    if (!(command instanceof TransactWriteItemsCommand)) return client.send(command as never)
    await until(() => isRestRead)
    const output = await client.send(command)
    isMoved = true
    return output
  }
  const inTheMiddle: Send = async (command) => {
    if (!(command instanceof QueryCommand)) return client.send(command as never)
    const isFourth = partitionOf(command) === 'k_4'
    if (isFourth) await until(() => isMoved)
    const output = await client.send(command)
    isRestRead ||= !isFourth
    return output
  }
  const processOf = (seed: number, send: Send) =>
    isotherm<DynamoDBClient>(Object.create(client, { send: { value: send } }), {
      tables: { log: { ...LOG, shards: dynamicShards({ quiet: false }), ...options } },
      clock,
      random: new SeededRandom(seed),
    })
  return {
    at,
    slow: processOf(1, slowly).shards('log', 'k'),
    quick: processOf(2, (command) => client.send(command as never)).shards('log', 'k'),
    append: () => client.send(new PutItemCommand({ TableName: 'log', Item: { ...KEY, pk: { S: 'k_4' } } })),
    read: async () => {
      const { Items } = await processOf(3, inTheMiddle).send(
        new QueryCommand({
          TableName: 'log',
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': { S: 'k' } },
          ConsistentRead: true,
        }),
      )
      return Items
    },
  }
}

function partitionOf({ input }: QueryCommand): string {
  return Object.values(input.ExpressionAttributeValues ?? {})[0]?.S ?? ''
}

describe('an item that was appended after a driver has settled the key, which has grown since', () => {
  it('is moved by no slower driver whose change the other one has claimed', async () => {
    const engine = await shardedEngine({ suffix: 'random', shards: dynamicShards() })
    const { at, slow, quick, append, read } = slowAndQuick(engine, {}, { k_4: [57] })
    await engine.clock.run(async () => {
      await slow.set(5)
      await slow.set(2)
      await at(1)
      expect(await quick.drain()).toBe('settled')
      await at(55.5)
      await quick.set(5)
      await append()
      await at(56.9)
      expect(await read()).toEqual([KEY])
    })
    await engine.close()
  })

  it('is moved by no slower driver that has gone on with the change of the other one', async () => {
    const engine = await shardedEngine({ suffix: 'random', shards: dynamicShards() })
    const { at, slow, quick, append, read } = slowAndQuick(
      engine,
      { cacheTtl: '2s', lateRequests: '1s' },
      { k_5: [60.5, 66.9], k_4: [62.6, 68] },
    )
    await engine.clock.run(async () => {
      await slow.set(5)
      await slow.set(2)
      await at(61)
      await quick.set(3)
      await at(67.3)
      await quick.set(5)
      await append()
      await at(67.9)
      expect(await read()).toEqual([KEY])
    })
    await engine.close()
  })
})
