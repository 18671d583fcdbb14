import {
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { isotherm } from '../client/isotherm.js'
import type { IsothermEvent } from '../events/event.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'

const TableName = 'files'

const CREATE = createTable(TableName, ['folder', 'file'], {
  global: {
    by_owner: ['owner', 'size:N'],
    inverted: ['file', 'folder'],
    by_status: { key: ['isotherm_by_status', 'size:N'], projected: 'KEYS_ONLY' },
    by_kind: ['isotherm_by_kind', 'size:N'],
  },
})

const FILES = Array.from({ length: 6 }, (_, number) => ({
  folder: { S: `folder ${number % 3}` },
  file: { S: `file ${number % 2}` },
  owner: { S: 'o' },
  status: { S: 'open' },
  kind: { S: 'text' },
  size: { N: String(number) },
}))

interface Opened {
  readonly db: DynamoDBClient
  /** A client of another process, which knows no counts yet. */
  readonly other: DynamoDBClient
  /** The reasons for which the next requests are throttled. */
  readonly next: string[]
  readonly events: readonly IsothermEvent[]
}

/** Files in three folders of several shards, with indexes of every kind. */
async function withFiles(run: (opened: Opened) => Promise<void>): Promise<void> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const client = await warmedUp(local.client())
  const next: string[] = []
  const events: IsothermEvent[] = []
  const indexes = {
    by_status: { partitionKey: 'status', sortKey: 'size', shards: fixedShards(2) },
    by_kind: { partitionKey: 'kind', sortKey: 'size', shards: dynamicShards({ initial: 2 }) },
  }
  const table = { partitionKey: 'folder', sortKey: 'file', suffix: 'random', indexes } as const
  const open = () =>
    isotherm(client, {
      tables: { [TableName]: { ...table, shards: dynamicShards({ initial: 4 }) } },
      clock,
      random: new SeededRandom(2),
      onEvent: (event) => events.push(event),
    })
  const [db, other] = [open(), open()]
  await clock.run(async () => {
    await client.send(CREATE)
    await client.send(createTable('files_shard_map', ['folder']))
    for (const Item of FILES) await db.send(new PutItemCommand({ TableName, Item }))
    throttleNext(client, next)
    await run({ db, other, next, events })
  })
  await local.close()
}

function throttleNext(client: DynamoDBClient, next: string[]): void {
  client.middlewareStack.add(
    (handler) => async (args) => {
      const reason = next.shift()
      if (reason === undefined) return handler(args)
      throw Object.assign(new Error('Too much.'), {
        name: 'ThrottlingException',
        $metadata: { httpStatusCode: 400 },
        throttlingReasons: [{ reason }],
      })
    },
    // Below the attempts that the library observes.
    { step: 'deserialize', priority: 'high', name: 'throttleNext' },
  )
}

const query = (IndexName: string, key: string, value: string, more: Partial<QueryCommandInput> = {}) =>
  new QueryCommand({
    TableName,
    IndexName,
    KeyConditionExpression: '#key = :value',
    ExpressionAttributeNames: { '#key': key },
    ExpressionAttributeValues: { ':value': { S: value } },
    ...more,
  })

describe('a query of an index without shards', () => {
  const byOwner = (more: Partial<QueryCommandInput> = {}) => query('by_owner', 'owner', 'o', more)

  it('returns items as they were written', () =>
    withFiles(async ({ db }) => {
      expect(await db.send(byOwner())).toMatchObject({ Count: 6, ScannedCount: 6, Items: FILES })
    }))

  it('returns a count without items, as the service does', () =>
    withFiles(async ({ db }) => {
      const page = await db.send(byOwner({ Select: 'COUNT' }))
      expect(page.Count).toBe(6)
      expect(page.Items).toBeUndefined()
    }))

  it('continues from the end of its page', () =>
    withFiles(async ({ db }) => {
      const { Items = [], LastEvaluatedKey } = await db.send(byOwner({ Limit: 4 }))
      const rest = await db.send(
        byOwner(LastEvaluatedKey === undefined ? {} : { ExclusiveStartKey: LastEvaluatedKey }),
      )
      expect([...Items, ...(rest.Items ?? [])]).toEqual(FILES)
    }))

  it('emits an event for each throttled attempt, with the index', () =>
    withFiles(async ({ db, next, events }) => {
      const reasons = ['IndexReadKeyRangeThroughputExceeded']
      next.push(...reasons, ...reasons)
      expect((await db.send(byOwner())).Count).toBe(6)
      const throttled = {
        type: 'scan-throttled',
        table: TableName,
        scope: 'index',
        index: 'by_owner',
        reasons,
      }
      expect(events).toMatchObject([
        { ...throttled, attempt: 1 },
        { ...throttled, attempt: 2 },
      ])
    }))
})

describe('a query of an inverted index', () => {
  const inFolders = (more: Partial<QueryCommandInput> = {}) =>
    query('inverted', 'file', 'file 1', {
      KeyConditionExpression: '#key = :value AND begins_with(folder, :prefix)',
      ExpressionAttributeValues: { ':value': { S: 'file 1' }, ':prefix': { S: 'folder' } },
      ...more,
    })

  it('returns items as they were written, in the order of their keys', () =>
    withFiles(async ({ db }) => {
      const { Items = [] } = await db.send(inFolders())
      expect(Items.map(({ folder, size }) => [folder?.S, size?.N])).toEqual([
        ['folder 0', '3'],
        ['folder 1', '1'],
        ['folder 2', '5'],
      ])
    }))

  it("is refused in the service's words with a limit that is none", () =>
    withFiles(async ({ db }) => {
      await expect(db.send(inFolders({ Limit: 0 }))).rejects.toMatchObject({
        name: 'ValidationException',
        message: expect.stringContaining("Value at 'Limit' failed"),
      })
    }))
})

describe('a query of an index whose key is sharded', () => {
  const open = (more: Partial<QueryCommandInput> = {}) => query('by_status', 'status', 'open', more)

  it('returns the queried value with each item, even if the index has only stored keys', () =>
    withFiles(async ({ db }) => {
      const { Items = [] } = await db.send(open())
      expect(Items).toEqual(FILES.map(({ folder, file, status, size }) => ({ folder, file, status, size })))
    }))

  it('returns only the projected attributes', () =>
    withFiles(async ({ db }) => {
      const names = { '#key': 'status', '#size': 'size' }
      const { Items = [] } = await db.send(
        open({ ProjectionExpression: '#size', ExpressionAttributeNames: names }),
      )
      expect(Items).toEqual(FILES.map(({ size }) => ({ size })))
    }))

  it('is refused by the service if it is consistent, whether or not its count is known', () =>
    withFiles(async ({ db, other }) => {
      const consistent = () => query('by_kind', 'kind', 'text', { ConsistentRead: true })
      const refusal = {
        name: 'ValidationException',
        message: expect.stringContaining('Consistent reads are not supported on global secondary indexes'),
      }
      await expect(db.send(consistent())).rejects.toMatchObject(refusal)
      await expect(other.send(consistent())).rejects.toMatchObject(refusal)
    }))
})
