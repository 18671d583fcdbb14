import {
  type AttributeValue,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { isotherm } from '../client/isotherm.js'
import type { ShardedTableOptions } from '../client/options.js'
import { fixedShards } from '../scaling/shards.js'

const ID_CHARACTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

interface Opened {
  readonly db: DynamoDBClient
  readonly random: SeededRandom
  /** The number of queries sent since this was called. */
  requests(): number
  put(key: AttributeValue): Promise<void>
}

async function withTable(
  run: (opened: Opened) => Promise<void>,
  keyType = 'S',
  more: Partial<ShardedTableOptions> = {},
): Promise<void> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const client = await warmedUp(local.client())
  const random = new SeededRandom(2)
  let queries = 0
  const watched = Object.create(client, {
    send: {
      value: (command: QueryCommand, options?: object) => {
        if (command instanceof QueryCommand) queries += 1
        return client.send(command, options)
      },
    },
  })
  const db: DynamoDBClient = isotherm(watched as DynamoDBClient, {
    tables: {
      things: { partitionKey: 'pk', sortKey: 'sk', suffix: 'calculated', shards: fixedShards(8), ...more },
    },
    clock,
    random,
  })
  const put = async (pk: AttributeValue) => {
    await db.send(new PutItemCommand({ TableName: 'things', Item: { pk, sk: { S: 'member' } } }))
  }
  const requests = () => {
    const counted = queries
    queries = 0
    return counted
  }
  await clock.run(async () => {
    await client.send(
      createTable('things', [`pk:${keyType}`, 'sk'], { global: { inverted: ['sk', `pk:${keyType}`] } }),
    )
    await run({ db, random, requests, put })
  })
  await local.close()
}

const members = (pk: AttributeValue, more: Partial<QueryCommandInput> = {}) =>
  new QueryCommand({
    TableName: 'things',
    IndexName: 'inverted',
    KeyConditionExpression: 'sk = :s AND begins_with(pk, :p)',
    ExpressionAttributeValues: { ':s': { S: 'member' }, ':p': pk },
    ...more,
  })

async function pagesOfOne(db: DynamoDBClient, input: Partial<QueryCommandInput>) {
  const read: Record<string, AttributeValue>[] = []
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined
  do {
    const start = ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }
    const page: QueryCommandOutput = await db.send(
      new QueryCommand({ TableName: 'things', IndexName: 'inverted', Limit: 1, ...input, ...start }),
    )
    read.push(...(page.Items ?? []))
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey !== undefined)
  return read
}

describe('a query of an inverted index', () => {
  it.each([true, false])(
    'takes few requests for a page of identifiers, forward: %s',
    async (forward) => {
      await withTable(async ({ db, random, requests, put }) => {
        const ids = Array.from({ length: 1_000 }, () =>
          Array.from({ length: 26 }, () => ID_CHARACTERS[Math.floor(random.next() * 32)]).join(''),
        )
        for (const id of ids) await put({ S: `USER#${id}` })
        const read: (string | undefined)[] = []
        let pages = 0
        let ExclusiveStartKey: Record<string, AttributeValue> | undefined
        requests()
        do {
          const start = ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }
          const page = await db.send(
            members({ S: 'USER#' }, { ScanIndexForward: forward, Limit: 25, ...start }),
          )
          read.push(...(page.Items ?? []).map(({ pk }) => pk?.S))
          pages += 1
          ExclusiveStartKey = page.LastEvaluatedKey
        } while (ExclusiveStartKey !== undefined)
        const sorted = ids.map((id) => `USER#${id}`).sort()
        expect(read).toEqual(forward ? sorted : sorted.reverse())
        expect(requests() / pages).toBeLessThanOrEqual(6)
      })
    },
    60_000,
  )

  it('begins after a start key with a logical key, and rejects those of other queries', async () => {
    await withTable(async ({ db, put }) => {
      for (const number of [1, 2, 3, 10, 11, 20]) await put({ S: `ORDER#${number}` })
      const after = async (pk: AttributeValue, forward: boolean) => {
        const ExclusiveStartKey = { sk: { S: 'member' }, pk }
        const { Items = [] } = await db.send(
          members({ S: 'ORDER#' }, { ExclusiveStartKey, ScanIndexForward: forward }),
        )
        return Items.map((item) => item.pk?.S?.slice('ORDER#'.length))
      }
      expect(await after({ S: 'ORDER#1' }, true)).toEqual(['10', '11', '2', '20', '3'])
      expect(await after({ S: 'ORDER#11' }, true)).toEqual(['2', '20', '3'])
      expect(await after({ S: 'ORDER#2' }, false)).toEqual(['11', '10', '1'])
      for (const ExclusiveStartKey of [
        { sk: { S: 'other' }, pk: { S: 'ORDER#1_1' } },
        { sk: { S: 'member' } },
        { sk: { S: 'member' }, pk: { S: 'ORDER#1_1' }, more: { S: '' } },
      ]) {
        await expect(db.send(members({ S: 'ORDER#' }, { ExclusiveStartKey }))).rejects.toMatchObject({
          name: 'ValidationException',
          code: 'cursor.invalid',
        })
      }
    })
  }, 60_000)

  it('returns keys of bytes in their order', async () => {
    await withTable(async ({ db, put }) => {
      const keys = [[7], [7, 0], [7, 95], [7, 255, 1], [7, 49], [6]].map((bytes) => Uint8Array.from(bytes))
      for (const B of keys) await put({ B })
      const { Items = [] } = await db.send(members({ B: Uint8Array.from([7]) }))
      expect(Items.map(({ pk }) => [...(pk?.B ?? [])])).toEqual([[7], [7, 0], [7, 49], [7, 95], [7, 255, 1]])
    }, 'B')
  }, 60_000)

  it('finds the key whose shards lie in front of those of its last key, in pages that are filtered', async () => {
    await withTable(
      async ({ db }) => {
        for (const [pk, good] of [
          ['a', true],
          ['a_2', true],
          ['a0', false],
          ['a1', false],
        ] as const) {
          const Item = { pk: { S: pk }, sk: { S: 'm' }, good: { BOOL: good } }
          await db.send(new PutItemCommand({ TableName: 'things', Item }))
        }
        const items = await pagesOfOne(db, {
          KeyConditionExpression: 'sk = :s AND begins_with(pk, :p)',
          FilterExpression: 'good = :good',
          ExpressionAttributeValues: { ':s': { S: 'm' }, ':p': { S: 'a' }, ':good': { BOOL: true } },
        })
        expect(items.map(({ pk }) => pk?.S)).toEqual(['a', 'a_2'])
      },
      'S',
      { shards: fixedShards(2) },
    )
  })

  it('ends at a key that is the beginning of others, backward', async () => {
    await withTable(async ({ db, put }) => {
      const keys = ['ORDER#1', 'ORDER#12', 'ORDER#123']
      for (const S of keys) await put({ S })
      const { Items = [] } = await db.send(
        members(
          { S: 'ORDER#123' },
          { KeyConditionExpression: 'sk = :s AND pk <= :p', ScanIndexForward: false, Limit: 1 },
        ),
      )
      expect(Items.map(({ pk }) => pk?.S)).toEqual(['ORDER#123'])
    })
  })

  it.each([true, false])('learns from the items that their keys are bytes, forward: %s', async (forward) => {
    const indexes = { inverted: { sortKey: 'pk' } }
    await withTable(
      async ({ db, put }) => {
        const keys = [[97], [97, 49], [97, 49, 48], [97, 98], [98], [200]]
        for (const bytes of keys) await put({ B: Uint8Array.from(bytes) })
        const items = await pagesOfOne(db, {
          KeyConditionExpression: 'sk = :s',
          ExpressionAttributeValues: { ':s': { S: 'member' } },
          ScanIndexForward: forward,
        })
        const wanted = forward ? keys : keys.toReversed()
        expect(items.map(({ pk }) => [...(pk?.B ?? [])])).toEqual(wanted)
      },
      'B',
      { indexes },
    )
  })

  it('rejects what the service rejects, with its exception', async () => {
    await withTable(async ({ db }) => {
      for (const more of [
        { Limit: 0 },
        { KeyConditionExpression: 'sk = :s AND begins_with(pk, :missing)' },
      ]) {
        await expect(db.send(members({ S: 'ORDER#' }, more))).rejects.toMatchObject({
          name: 'ValidationException',
        })
      }
    })
  }, 60_000)
})
