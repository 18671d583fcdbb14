import {
  type AttributeValue,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, scanned, shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'

const ITEMS = 9

const global = { by_group: ['kind', 'rank:N'], by_rank: ['pk', 'rank:N'], inverted: ['sk:N', 'pk'] } as const
const indexes = { by_rank: { sortKey: 'rank' }, inverted: { sortKey: 'pk' } }

const CALCULATED = { suffix: 'calculated', shards: fixedShards(4), indexes } as const
const RANDOM = { suffix: 'random', shards: fixedShards(4), indexes } as const

type TableOptions = Parameters<typeof shardedEngine>[0]

async function within(options: TableOptions, work: (engine: ShardedEngine) => Promise<void>): Promise<void> {
  const engine = await shardedEngine(options, { global })
  await engine.clock.run(() => work(engine))
  await engine.close()
}

const itemOf = (pk: string, number: number) => ({
  pk: { S: pk },
  sk: { N: String(number) },
  kind: { S: 'g' },
  rank: { N: '1' },
})

async function fill(db: DynamoDBClient, pk: string): Promise<void> {
  for (let number = 1; number <= ITEMS; number++) {
    await db.send(new PutItemCommand({ TableName: 'log', Item: itemOf(pk, number) }))
  }
}

type Attributes = Record<string, AttributeValue>

interface Query {
  readonly index: string | undefined
  readonly key: { readonly attribute: string; readonly value: AttributeValue }
  /** The attributes of a start key. */
  readonly names: readonly string[]
  readonly filter?: { readonly FilterExpression: string; readonly value: AttributeValue }
}

const byGroup: Query = {
  index: 'by_group',
  key: { attribute: 'kind', value: { S: 'g' } },
  names: ['pk', 'sk', 'kind', 'rank'],
}

const byRank = (pk: string): Query => ({
  index: 'by_rank',
  key: { attribute: 'pk', value: { S: pk } },
  names: ['pk', 'sk', 'rank'],
})

const ofTable = (pk: string): Query => ({
  index: undefined,
  key: { attribute: 'pk', value: { S: pk } },
  names: ['pk', 'sk'],
})

const inverted: Query = {
  index: 'inverted',
  key: { attribute: 'sk', value: { N: '1' } },
  names: ['pk', 'sk'],
}

function pageOf({ index, key, filter }: Query, forward: boolean, more: Partial<QueryCommandInput> = {}) {
  return new QueryCommand({
    TableName: 'log',
    ...(index === undefined ? {} : { IndexName: index }),
    KeyConditionExpression: '#k = :k',
    ExpressionAttributeNames: { '#k': key.attribute },
    ExpressionAttributeValues: { ':k': key.value, ...(filter && { ':g': filter.value }) },
    ...(filter && { FilterExpression: filter.FilterExpression }),
    ScanIndexForward: forward,
    Limit: 2,
    ...more,
  })
}

/** Where a page begins: at a key made of the last item, or at the page's own cursor. */
type Continues = 'own' | 'cursor'

/** Reads pages, each in another process, and stops after three times as many as there should be. */
async function readPages(
  process: () => DynamoDBClient,
  query: Query,
  { forward, continues }: { readonly forward: boolean; readonly continues: Continues },
): Promise<readonly string[]> {
  const seen: string[] = []
  let start: Attributes | undefined
  for (let page = 0; page < 3 * ITEMS; page++) {
    const { Items = [], LastEvaluatedKey } = await process().send(
      pageOf(query, forward, start && { ExclusiveStartKey: start }),
    )
    seen.push(...Items.map(({ pk, sk }) => `${pk?.S} ${sk?.N}`))
    const last = Items.at(-1)
    start = continues === 'cursor' ? LastEvaluatedKey : last && pick(last, query.names)
    if (start === undefined) break
  }
  return seen.sort()
}

function pick(item: Attributes, names: readonly string[]): Attributes {
  return Object.fromEntries(names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])))
}

const allOf = (...keys: readonly string[]) =>
  keys.flatMap((pk) => Array.from({ length: ITEMS }, (_, index) => `${pk} ${index + 1}`)).sort()

const WAYS = [true, false].flatMap((forward) =>
  (['own', 'cursor'] as const).map((continues) => ({ forward, continues })),
)

describe.each([
  ['a calculated suffix', CALCULATED, 'k'],
  ['a calculated suffix, under a key that looks like a stored one,', CALCULATED, 'user_1'],
  [
    'a calculated suffix and a dynamic count, under a key that looks like a stored one,',
    { ...CALCULATED, shards: dynamicShards({ initial: 4 }) },
    'ORDER_7',
  ],
  ['a random suffix', RANDOM, 'k'],
  ['a random suffix, under a key that looks like a stored one,', RANDOM, 'user_1'],
  ['a random suffix, in an adopted table,', { ...RANDOM, adopt: true }, 'k'],
] as const)('a page that begins at a key made of an item, with %s', (_with, options, pk) => {
  it.each(WAYS)('reads each item once in indexes and in the table: %o', async (way) => {
    await within(options, async ({ process }) => {
      await fill(process(), pk)
      for (const query of [byGroup, byRank(pk), ofTable(pk)]) {
        expect(await readPages(process, query, way)).toEqual(allOf(pk))
      }
    })
  })
})

describe.each([
  ['a calculated suffix', CALCULATED],
  ['a random suffix', RANDOM],
] as const)('an inverted index of keys that look like stored ones, with %s', (_with, options) => {
  it.each(WAYS)('reads each key once: %o', async (way) => {
    await within(options, async ({ process }) => {
      const db = process()
      const keys = [1, 2, 3, 4, 5, 6, 7, 10, 11].map((number) => `user_${number}`)
      for (const pk of keys) await db.send(new PutItemCommand({ TableName: 'log', Item: itemOf(pk, 1) }))
      expect(await readPages(process, inverted, way)).toEqual(keys.map((pk) => `${pk} 1`).sort())
    })
  })

  it.each([true, false])('reads each key once with a filter, forward: %s', async (forward) => {
    await within(options, async ({ process }) => {
      const db = process()
      const keys = [1, 2, 3, 4, 5, 6, 7, 10, 11].map((number) => `user_${number}`)
      for (const pk of keys) {
        const kind = { S: pk.endsWith('1') ? 'g' : 'h' }
        await db.send(new PutItemCommand({ TableName: 'log', Item: { ...itemOf(pk, 1), kind } }))
      }
      const filtered = { ...inverted, filter: { FilterExpression: 'kind = :g', value: { S: 'g' } } }
      const seen = await readPages(process, filtered, { forward, continues: 'cursor' })
      expect(seen).toEqual(['user_1 1', 'user_11 1'])
    })
  })
})

describe('a start key that looks like a stored one', () => {
  it.each([CALCULATED, RANDOM])('is the stored one if its item exists', async (options) => {
    await within(options, async ({ process }) => {
      for (const pk of ['user', 'user_1', 'user_1_2']) await fill(process(), pk)
      for (const forward of [true, false]) {
        const seen = await readPages(process, byGroup, { forward, continues: 'cursor' })
        expect(seen).toEqual(allOf('user', 'user_1', 'user_1_2'))
      }
    })
  })

  it('is the logical one if the stored item has other keys of the index', async () => {
    await within(CALCULATED, async ({ process }) => {
      await fill(process(), 'user_1')
      for (let number = 1; number <= ITEMS; number++) {
        const Item = { ...itemOf('user', number), rank: { N: '2' } }
        await process().send(new PutItemCommand({ TableName: 'log', Item }))
      }
      for (const way of WAYS) {
        expect(await readPages(process, byGroup, way)).toEqual(allOf('user', 'user_1'))
      }
    })
  })

  it('still is the logical one after the item has left the index', async () => {
    await within(CALCULATED, async ({ process }) => {
      await fill(process(), 'user_1')
      const seen: (string | undefined)[] = []
      let start: Attributes | undefined
      for (let page = 0; page < 2 * ITEMS; page++) {
        const { Items = [] } = await process().send(
          pageOf(byGroup, false, { Limit: 1, ...(start && { ExclusiveStartKey: start }) }),
        )
        const [item] = Items
        if (item === undefined) break
        seen.push(item.sk?.N)
        start = pick(item, byGroup.names)
        await process().send(
          new UpdateItemCommand({
            TableName: 'log',
            Key: pick(item, ['pk', 'sk']),
            UpdateExpression: 'SET kind = :done',
            ExpressionAttributeValues: { ':done': { S: 'done' } },
          }),
        )
      }
      expect(seen).toHaveLength(ITEMS)
      expect(new Set(seen).size).toBe(ITEMS)
    })
  })

  it('costs a read of its item in another process, and none in the process that returned it', async () => {
    await within(CALCULATED, async ({ client, process }) => {
      await fill(process(), 'user')
      const db = process()
      const { LastEvaluatedKey } = await db.send(pageOf(byGroup, true))
      const sent: string[] = []
      client.middlewareStack.add(
        (next, { commandName }) =>
          (args) => {
            sent.push(String(commandName))
            return next(args)
          },
        { step: 'initialize', name: 'sent' },
      )
      const next = pageOf(byGroup, true, { ExclusiveStartKey: LastEvaluatedKey })
      await db.send(next)
      expect(sent).toEqual(['QueryCommand'])
      sent.length = 0
      const other = process()
      await other.send(next)
      expect(sent.filter((name) => name !== 'ScanCommand')).toEqual(
        expect.arrayContaining(['GetItemCommand', 'QueryCommand']),
      )
    })
  })

  it('is the stored one for a role that may not read items', async () => {
    await within(CALCULATED, async ({ client, process }) => {
      await fill(process(), 'user')
      client.middlewareStack.add(
        (next, { commandName }) =>
          (args) => {
            if (commandName !== 'GetItemCommand') return next(args)
            return Promise.reject(
              Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' }),
            )
          },
        { step: 'initialize', name: 'forbidden' },
      )
      const seen = await readPages(process, byGroup, { forward: true, continues: 'cursor' })
      expect(seen).toEqual(allOf('user'))
    })
  })
})

describe('a start key with the logical key', () => {
  it('is refused with a random suffix if no shard has its item', async () => {
    await within(RANDOM, async ({ process }) => {
      await fill(process(), 'k')
      const ExclusiveStartKey = itemOf('k', 77)
      await expect(process().send(pageOf(byGroup, true, { ExclusiveStartKey }))).rejects.toMatchObject({
        name: 'ValidationException',
        code: 'cursor.invalid',
        message: expect.stringContaining('no shard has its item'),
      })
    })
  })

  it.each(WAYS)('is found in the shards of an adopted table: %o', async (way) => {
    const options = { ...CALCULATED, adopt: true, shards: dynamicShards({ initial: 1 }) } as const
    await within(options, async ({ client, process, setState }) => {
      await setState({ shards: 4, lastUpdated: 2, history: ['1:1', '2:4'] })
      await fill(process(), 'k')
      const stored = new Set((await scanned(client, 'log')).map(({ pk }) => pk?.S))
      expect(stored).toContain('k')
      expect(stored.size).toBeGreaterThan(1)
      for (const query of [byGroup, byRank('k'), ofTable('k')]) {
        expect(await readPages(process, query, way)).toEqual(allOf('k'))
      }
    })
  })

  it.each([true, false])(
    'is found at both places of an item whose key grows in an adopted table, forward: %s',
    async (forward) => {
      const options = { ...CALCULATED, adopt: true, shards: dynamicShards({ initial: 1 }) } as const
      await within(options, async ({ client, process, setState }) => {
        for (let number = 1; number <= 5; number++) {
          await process().send(new PutItemCommand({ TableName: 'log', Item: itemOf('k', number) }))
        }
        const history = ['1:1', '2:4']
        await setState({ shards: 4, lastUpdated: 2, history, phase: 'moved', from: 1, to: 4 })
        for (let number = 6; number <= ITEMS; number++) {
          await process().send(new PutItemCommand({ TableName: 'log', Item: itemOf('k', number) }))
        }
        const stored = new Set((await scanned(client, 'log')).map(({ pk }) => pk?.S))
        expect(stored.size).toBeGreaterThan(1)
        expect(await readPages(process, byGroup, { forward, continues: 'own' })).toEqual(allOf('k'))
      })
    },
  )
})
