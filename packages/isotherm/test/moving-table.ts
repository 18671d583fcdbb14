import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { MoveSender } from '../src/attempts/move-sender.js'
import type { IsothermEvent } from '../src/events/event.js'
import type { ItemKey } from '../src/keys/item-key.js'
import type { LogicalKey } from '../src/keys/key.js'
import { Suffix } from '../src/keys/suffix.js'
import type { MovingTable } from '../src/protocol/moves/moving-table.js'
import type { ShardView } from '../src/protocol/states/shard-view.js'
import { dynamicShards } from '../src/scaling/shards.js'
import { type StoredItem, scanned, shardedEngine } from './sharded-engine.js'

export const KEY: ItemKey = { logical: { S: 'k' } as LogicalKey, sort: { N: '1' } }

interface Shape {
  readonly suffix: 'random' | 'calculated'
  readonly transactions: boolean
  readonly view: ShardView
}

type Meddler = (command: string, input: object) => Promise<unknown>

/** The table `log` of a real engine as moves see it, with the view that a test wants, and what moves send and report. */
export async function movingTable({ suffix, transactions, view }: Shape) {
  const { client, clock, random, close } = await shardedEngine({ suffix, shards: dynamicShards() })
  const events: IsothermEvent[] = []
  const sent: string[] = []
  const taken: number[] = []
  const spent: number[] = []
  const meddlers: Meddler[] = []
  const send = async (command: { constructor: { name: string }; input: object }, options?: unknown) => {
    const { name } = command.constructor
    sent.push(name)
    for (const meddle of meddlers) await meddle(name, command.input)
    return client.send(command as never, options as never)
  }
  const options = {
    name: 'log',
    partitionKey: 'pk',
    sortKey: 'sk',
    suffix: suffix === 'random' ? suffix : {},
    transactions,
    maxAttempts: 3,
    cacheMilliseconds: 10_000,
    lateRequestMilliseconds: 500,
  }
  const table = {
    client: Object.create(client, { send: { value: send } }) as DynamoDBClient,
    clock,
    random,
    options,
    placementKind: suffix,
    suffix: new Suffix('log', '_', false),
    views: { forWrite: () => view },
    emit: (event: IsothermEvent) => events.push(event),
  } as unknown as MovingTable
  const pace = {
    take: async (units: number) => void taken.push(units),
    throttled: () => {},
    spent: (units: number) => void spent.push(units),
  }
  return {
    table,
    sender: new MoveSender(table, { maxAttempts: 3, pace, signal: undefined }),
    clock,
    events,
    /** The names of the commands that were sent. */
    sent,
    /** The units that each attempt took before it was sent, and those that it used beyond them. */
    units: { taken, spent },
    /** What another process does before each request. */
    meddle: (act: Meddler) => void meddlers.push(act),
    /** Stores a copy of the item in a shard. */
    put: async (shard: number, attributes: StoredItem): Promise<StoredItem> => {
      const Item = { pk: { S: `k_${shard}` }, sk: { N: '1' }, ...attributes }
      await client.send(new PutItemCommand({ TableName: 'log', Item }))
      return Item
    },
    /** All copies of the item, with their shard for the key. */
    copies: async (): Promise<readonly StoredItem[]> => {
      const items = await scanned(client, 'log')
      return items
        .map(({ pk, sk: _, ...rest }) => ({ shard: { N: pk?.S?.slice(2) ?? '' }, ...rest }))
        .sort((a, b) => Number(a.shard.N) - Number(b.shard.N))
    },
    client,
    close,
  }
}
