import {
  GetItemCommand,
  PutItemCommand,
  paginateQuery,
  QueryCommand,
  type QueryCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, type StoredItem, scanned, shardedEngine } from '../../test/sharded-engine.js'
import { isotherm } from '../client/isotherm.js'
import type { ShardedTableOptions } from '../client/options.js'
import { dynamicShards } from '../scaling/shards.js'
import { operationOf } from '../sdk/operation.js'
import type { AnyCommand, PhysicalClient } from '../sdk/physical-client.js'

const OLD_ITEMS = 40
const RANDOM = { suffix: 'random', shards: dynamicShards({ quiet: false }), adopt: true } as const
const CALCULATED = {
  suffix: 'calculated',
  shards: dynamicShards({ quiet: false, drainUnitsPerSecond: 1_000 }),
  adopt: true,
  cacheTtl: '2s',
  lateRequests: '1s',
} as const

const put = (sk: number, text: string) =>
  new PutItemCommand({
    TableName: 'log',
    Item: { pk: { S: 'k' }, sk: { N: String(sk) }, text: { S: text } },
  })

const ofKey = (): QueryCommandInput => ({
  TableName: 'log',
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': { S: 'k' } },
})

/** An engine whose table has existing items. */
async function adopted(
  table: Omit<ShardedTableOptions, 'partitionKey' | 'sortKey'>,
  test: (
    engine: ShardedEngine,
    db: ReturnType<typeof isotherm<ShardedEngine['client']>>,
    writes: () => number,
  ) => Promise<void>,
): Promise<void> {
  const engine = await shardedEngine(table)
  const { clock, client } = engine
  let writes = 0
  const counting = Object.create(client, {
    send: {
      value: (command: AnyCommand, options: object) => {
        const { TableName, TransactItems } = command.input as { TableName?: string; TransactItems?: unknown }
        const isWrite = /^(Put|Update|Delete|BatchWrite)Item$/.test(operationOf(command))
        if (isWrite && TableName === 'log') writes += 1
        if (TransactItems !== undefined) writes += 1
        return (client as PhysicalClient).send(command as never, options as never)
      },
    },
  })
  const db = isotherm<ShardedEngine['client']>(counting, {
    tables: { log: { partitionKey: 'pk', sortKey: 'sk', ...table } },
    clock,
    random: new SeededRandom(1),
  })
  await clock.run(async () => {
    for (let sk = 0; sk < OLD_ITEMS; sk++) await client.send(put(sk, 'old'))
    await test(engine, db, () => writes)
  })
  db.destroy()
  await engine.close()
}

const sorts = (items: readonly StoredItem[]) => items.map(({ sk }) => Number(sk?.N)).sort((a, b) => a - b)
const upTo = (count: number) => Array.from({ length: count }, (_, sk) => sk)

async function queried(db: ShardedEngine['client']): Promise<readonly StoredItem[]> {
  const items: StoredItem[] = []
  for await (const page of paginateQuery({ client: db, pageSize: 7 }, ofKey()))
    items.push(...(page.Items ?? []))
  return items
}

describe('an adopted table with a random suffix', () => {
  it('keeps its items in place, visible to old readers, and spreads new ones', async () => {
    await adopted(RANDOM, async ({ client }, db, writes) => {
      const before = await scanned(client, 'log')
      expect(sorts(await queried(db))).toEqual(upTo(OLD_ITEMS))
      await db.shards('log', 'k').set(4)
      await db.shards('log', 'k').drain()
      expect(writes()).toBe(0)
      for (let sk = OLD_ITEMS; sk < 2 * OLD_ITEMS; sk++) await db.send(put(sk, 'new'))
      expect(writes()).toBe(OLD_ITEMS)
      const after = await scanned(client, 'log')
      expect(after.filter(({ text }) => text?.S === 'old')).toEqual(before)
      expect(new Set(after.map(({ pk }) => pk?.S))).toEqual(new Set(['k', 'k_2', 'k_3', 'k_4']))
      expect((await queried(db)).map(({ sk }) => Number(sk?.N))).toEqual(upTo(2 * OLD_ITEMS))
      const { Items = [] } = await client.send(new QueryCommand(ofKey()))
      expect(sorts(Items.filter(({ text }) => text?.S === 'old'))).toEqual(upTo(OLD_ITEMS))
    })
  })

  it('rejects a logical key that looks like a shard of another', async () => {
    await adopted(RANDOM, async (_engine, db, writes) => {
      const refusal = { code: 'key.ambiguous', details: { table: 'log', logicalKey: 'k_2' } }
      const Key = { pk: { S: 'k_2' }, sk: { N: '1' } }
      await expect(db.send(new PutItemCommand({ TableName: 'log', Item: Key }))).rejects.toMatchObject(
        refusal,
      )
      await expect(db.send(new GetItemCommand({ TableName: 'log', Key }))).rejects.toMatchObject(refusal)
      const query = { ...ofKey(), ExpressionAttributeValues: { ':pk': { S: 'k_2' } } }
      await expect(db.send(new QueryCommand(query))).rejects.toMatchObject(refusal)
      expect(writes()).toBe(0)
    })
  })
})

describe('an adopted table with a calculated suffix', () => {
  it('writes its items in place, and moves only those whose shard changes', async () => {
    await adopted(CALCULATED, async ({ client }, db, writes) => {
      const update = new UpdateItemCommand({
        TableName: 'log',
        Key: { pk: { S: 'k' }, sk: { N: '3' } },
        UpdateExpression: 'SET seen = :yes',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':yes': { BOOL: true } },
      })
      await db.send(update)
      expect(writes()).toBe(1)
      expect(new Set((await scanned(client, 'log')).map(({ pk }) => pk?.S))).toEqual(new Set(['k']))
      const before = await scanned(client, 'log')
      await db.shards('log', 'k').set(4)
      await db.shards('log', 'k').drain()
      const after = await scanned(client, 'log')
      const stayed = after.filter(({ pk }) => pk?.S === 'k')
      // Growing from one shard to four moves three quarters of the items.
      expect(stayed.length).toBeGreaterThan(OLD_ITEMS / 10)
      expect(stayed.length).toBeLessThan(OLD_ITEMS / 2)
      for (const item of stayed) expect(before).toContainEqual(item)
      // A mark and a transaction for each moved item.
      expect(writes() - 1).toBe(2 * (OLD_ITEMS - stayed.length))
      expect(sorts(after)).toEqual(upTo(OLD_ITEMS))
      expect((await queried(db)).map(({ sk }) => Number(sk?.N))).toEqual(upTo(OLD_ITEMS))
      const Key = { pk: { S: 'k' }, sk: { N: '3' } }
      const { Item } = await db.send(new GetItemCommand({ TableName: 'log', Key }))
      expect(Item).toEqual({ ...Key, text: { S: 'old' }, seen: { BOOL: true } })
    })
  })
})
