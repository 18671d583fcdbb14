import {
  BatchGetItemCommand,
  GetItemCommand,
  PutItemCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, type StoredItem, scanned, shardedEngine } from '../../test/sharded-engine.js'
import type { ShardedTableOptions } from '../client/options.js'
import { jump } from '../protocol/placement/jump.js'
import { placeHash } from '../protocol/placement/place-hash.js'
import { atRest, type ShardState } from '../protocol/states/shard-state.js'
import { dynamicShards } from '../scaling/shards.js'

/** A sort key whose shard changes from 1 of 2 to 3 of 3. */
const SORT_KEY = Array.from({ length: 1_000 }, (_, sk) => sk).find((sk) => {
  const hash = placeHash([{ N: String(sk) }])
  return jump(hash, 2) === 0 && jump(hash, 3) === 2
})
const KEY = { pk: { S: 'k' }, sk: { N: String(SORT_KEY) } }

interface TwoCopies {
  readonly table: Partial<ShardedTableOptions> & Pick<ShardedTableOptions, 'suffix'>
  readonly state: ShardState
  /** With its shard and its marks. */
  readonly other: StoredItem
  readonly item: StoredItem
}

const retired = (shards: number): ShardState =>
  atRest({ shards, lastUpdated: 2, history: ['1:5', `2:${shards}`] })
const CALCULATED: TwoCopies = {
  table: { suffix: 'calculated' },
  state: {
    shards: 3,
    lastUpdated: 2,
    history: ['1:2', '2:3'],
    phase: 'moved',
    from: 2,
    to: 3,
  },
  other: { pk: { S: 'k_1' }, isotherm_moving: { S: '3:7' } },
  item: { pk: { S: 'k_3' } },
}
const PUT_TWICE: TwoCopies = {
  table: { suffix: 'random' },
  state: retired(2),
  other: { pk: { S: 'k_4' } },
  item: { pk: { S: 'k_1' } },
}
/** With one active shard, the marked copy has no target. */
const PUT_TWICE_AND_MARKED: TwoCopies = {
  ...PUT_TWICE,
  state: retired(1),
  other: { pk: { S: 'k_4' }, isotherm_moving: { S: '1:7' } },
}
/** As left by a process that ended between the copy and the delete. */
const HALF_MOVED: TwoCopies = {
  table: { suffix: 'random', transactions: false },
  state: retired(2),
  other: { pk: { S: 'k_4' }, isotherm_moving: { S: '1:7' } },
  item: { pk: { S: 'k_1' }, isotherm_moved: { S: '4:1:7' } },
}

const UPDATE = {
  TableName: 'log',
  Key: KEY,
  UpdateExpression: 'SET #text = :new',
  ExpressionAttributeNames: { '#text': 'text' },
  ExpressionAttributeValues: { ':new': { S: 'new' } },
}

async function withTwoCopies(
  { table, state, other, item }: TwoCopies,
  work: (db: ReturnType<ShardedEngine['process']>, stored: () => Promise<readonly string[]>) => Promise<void>,
) {
  const engine = await shardedEngine({ ...table, shards: dynamicShards({ quiet: false }) })
  const { client, clock } = engine
  await engine.setState(state)
  for (const [copy, text] of [[other, 'other'] as const, [item, 'item'] as const]) {
    await client.send(new PutItemCommand({ TableName: 'log', Item: { ...KEY, ...copy, text: { S: text } } }))
  }
  const stored = async () =>
    (await scanned(client, 'log')).map(({ pk, text }) => `${pk?.S} ${text?.S}`).sort()
  await clock.run(() => work(engine.process(), stored))
  await engine.close()
}

describe.each([
  ['put twice, into a retired shard and another', PUT_TWICE],
  ['half moved without transactions', HALF_MOVED],
  ['kept at its old place and at its new one', CALCULATED],
])('an item %s', (_name, copies) => {
  it('is read in a batch as by a single read, and as it was updated', async () => {
    await withTwoCopies(copies, async (db) => {
      await db.send(new UpdateItemCommand(UPDATE))
      const { Item } = await db.send(new GetItemCommand({ TableName: 'log', Key: KEY, ConsistentRead: true }))
      expect(Item?.text?.S).toBe('new')
      const RequestItems = { log: { Keys: [KEY], ConsistentRead: true } }
      const { Responses } = await db.send(new BatchGetItemCommand({ RequestItems }))
      expect(Responses?.log).toEqual([Item])
    })
  })
})

const writing = (member: TransactWriteItem) => new TransactWriteItemsCommand({ TransactItems: [member] })

describe('a transaction', () => {
  it.each([
    ['put twice', PUT_TWICE, ['k_1 new', 'k_4 other']],
    ['put twice, of which one is being moved', PUT_TWICE_AND_MARKED, ['k_1 new', 'k_4 other']],
    ['kept at its old place and at its new one', CALCULATED, ['k_1 other', 'k_3 new']],
  ])('updates the copy of an item %s that is read', async (_name, copies, expected) => {
    await withTwoCopies(copies, async (db, stored) => {
      await db.send(writing({ Update: UPDATE }))
      expect(await stored()).toEqual(expected)
    })
  })

  it.each([
    ['all copies of an item put twice', PUT_TWICE, []],
    ['all copies of an item put twice, of which one is being moved', PUT_TWICE_AND_MARKED, []],
    ['only the new one of an item kept at its old place and at its new one', CALCULATED, ['k_1 other']],
  ])('deletes %s', async (_name, copies, expected) => {
    await withTwoCopies(copies, async (db, stored) => {
      await db.send(writing({ Delete: { TableName: 'log', Key: KEY } }))
      expect(await stored()).toEqual(expected)
    })
  })
})
