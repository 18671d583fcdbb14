import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
  TransactGetItemsCommand,
} from '@aws-sdk/client-dynamodb'
import {
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { mockClient } from 'aws-sdk-client-mock'
import { afterEach, describe, expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { fixedShards } from '../scaling/shards.js'
import { isotherm } from './isotherm.js'
import type { IsothermOptions } from './options.js'

const SHARDED = { partitionKey: 'pk', sortKey: 'sk', suffix: 'calculated', shards: fixedShards(5) } as const

interface Opened {
  readonly client: DynamoDBClient
  readonly options: IsothermOptions
  /** The partition keys in the table as it is stored. */
  stored(table?: string): Promise<readonly (string | undefined)[]>
}

async function withTables(run: (opened: Opened) => Promise<void>): Promise<void> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const client = await warmedUp(local.client())
  const stored = async (TableName = 'log') => {
    const { Items = [] } = await client.send(new ScanCommand({ TableName }))
    return Items.map(({ pk }) => pk?.S)
  }
  await clock.run(async () => {
    for (const table of ['log', 'other']) await client.send(createTable(table, ['pk', 'sk:N']))
    await run({ client, options: { tables: { log: SHARDED }, clock, random: new SeededRandom(2) }, stored })
  })
  await local.close()
}

const hasShard = (key: string | undefined) => /^k_[1-5]$/.test(key ?? '')
const keys = Array.from({ length: 12 }, (_, sk) => ({ pk: 'k', sk }))

describe('a document client made from a sharded client', () => {
  it('is sharded, with all commands', async () => {
    await withTables(async ({ client, options, stored }) => {
      const db = DynamoDBDocumentClient.from(isotherm(client, options), {
        marshallOptions: { removeUndefinedValues: true },
      })
      for (const key of keys) {
        await db.send(new PutCommand({ TableName: 'log', Item: { ...key, tags: ['a'], absent: undefined } }))
      }
      expect((await stored()).every(hasShard)).toBe(true)
      expect(new Set(await stored()).size).toBeGreaterThan(2)
      const { Item, $metadata } = await db.send(new GetCommand({ TableName: 'log', Key: keys[3] }))
      expect(Item).toEqual({ ...keys[3], tags: ['a'] })
      expect($metadata.httpStatusCode).toBe(200)
      const Key = { pk: 'k', sk: 3 }
      const { Attributes } = await db.send(
        new UpdateCommand({
          TableName: 'log',
          Key,
          UpdateExpression: 'SET n = :n',
          ExpressionAttributeValues: { ':n': 7 },
          ReturnValues: 'ALL_NEW',
        }),
      )
      expect(Attributes).toEqual({ ...Key, tags: ['a'], n: 7 })
      const query = {
        TableName: 'log',
        KeyConditionExpression: 'pk = :k',
        ExpressionAttributeValues: { ':k': 'k' },
      }
      const { Items } = await db.send(new QueryCommand(query))
      expect(Items?.map(({ sk }) => sk)).toEqual(keys.map(({ sk }) => sk))
      const paged: unknown[] = []
      for await (const page of paginateQuery({ client: db, pageSize: 5 }, query))
        paged.push(...(page.Items ?? []))
      expect(paged).toEqual(Items)
      await db.send(
        new BatchWriteCommand({ RequestItems: { log: [{ PutRequest: { Item: { pk: 'k', sk: 50 } } }] } }),
      )
      await db.send(
        new TransactWriteCommand({
          TransactItems: [{ Put: { TableName: 'log', Item: { pk: 'k', sk: 51 } } }],
        }),
      )
      await db.send(new DeleteCommand({ TableName: 'log', Key: { pk: 'k', sk: 0 } }))
      const after = await stored()
      expect(after).toHaveLength(keys.length + 1)
      expect(after.every(hasShard)).toBe(true)
    })
  })

  it('sends requests for other tables, and repeated commands, as usual', async () => {
    await withTables(async ({ client, options, stored }) => {
      const db = DynamoDBDocumentClient.from(isotherm(client, options))
      await db.send(new PutCommand({ TableName: 'other', Item: { pk: 'k', sk: 1 } }))
      expect(await stored('other')).toEqual(['k'])
      const put = new PutCommand({ TableName: 'log', Item: { pk: 'k', sk: 1 } })
      const get = new GetCommand({ TableName: 'log', Key: { pk: 'k', sk: 1 } })
      for (let time = 0; time < 3; time++) {
        await db.send(put)
        expect((await db.send(get)).Item).toEqual({ pk: 'k', sk: 1 })
      }
      expect((await stored()).length).toBe(1)
    })
  })

  it('ends a request when its signal is aborted, before it is sent or after', async () => {
    await withTables(async ({ client, options }) => {
      const unchecked = { ...options, tables: { log: { ...SHARDED, checkItems: false } } }
      const db = DynamoDBDocumentClient.from(isotherm(client, unchecked))
      const get = new GetCommand({ TableName: 'log', Key: keys[0] })
      const abort = new AbortController()
      const running = db.send(get, { abortSignal: abort.signal })
      expect((await running).Item).toBeUndefined()

      // A request that gets no response.
      let sent = 0
      client.middlewareStack.add(
        (_next, context) => () => {
          sent += 1
          const { abortSignal } = context.__smithy_context as { readonly abortSignal: AbortSignal }
          return new Promise((_resolve, reject) => {
            abortSignal.addEventListener('abort', () => reject(abortSignal.reason))
          })
        },
        { step: 'finalizeRequest', name: 'unanswered' },
      )
      const unanswered = db.send(get, { abortSignal: abort.signal })
      const refused = expect(unanswered).rejects.toMatchObject({ name: 'AbortError' })
      await options.clock?.sleep(1_000)
      expect(sent).toBe(1)
      abort.abort(new Error('enough'))
      await refused
      await expect(db.send(get, { abortSignal: abort.signal })).rejects.toMatchObject({ name: 'AbortError' })
      expect(sent).toBe(1)
    })
  })

  it('rejects what a sharded client rejects, with its error', async () => {
    await withTables(async ({ client, options }) => {
      const db = DynamoDBDocumentClient.from(isotherm(client, options))
      const get = new GetCommand({ TableName: 'log', Key: { pk: 'k', sk: 1 }, AttributesToGet: ['sk'] })
      await expect(db.send(get)).rejects.toMatchObject({ code: 'command.parameter-unsupported' })
      const error = await new Promise((resolve) => {
        db.send(new GetCommand({ TableName: 'log', Key: {} }), (failure: unknown) => resolve(failure))
      })
      expect(error).toMatchObject({ name: 'ValidationException', code: 'key.missing' })
    })
  })

  it('shares its middleware with the client that was passed in', async () => {
    await withTables(async ({ client, options }) => {
      const db = isotherm(client, { ...options, tables: { log: { ...SHARDED, checkItems: false } } })
      const seen: string[] = []
      db.middlewareStack.add(
        (next, { commandName }) =>
          (args) => {
            seen.push(commandName ?? '')
            return next(args)
          },
        { step: 'build', name: 'seen' },
      )
      expect(client.middlewareStack.identify()).toEqual(db.middlewareStack.identify())
      const document = DynamoDBDocumentClient.from(db)
      await document.send(new PutCommand({ TableName: 'log', Item: { pk: 'k', sk: 1 } }))
      expect(seen).toEqual(['PutItemCommand'])
    })
  })
})

describe('a client that is wrapped twice', () => {
  it('is refused, also through a document client and for other tables', async () => {
    await withTables(async ({ client, options }) => {
      const once = isotherm(client, options)
      for (const wrapped of [once, DynamoDBDocumentClient.from(once)]) {
        for (const table of ['log', 'other']) {
          expect(() => isotherm(wrapped, { ...options, tables: { [table]: SHARDED } })).toThrow(
            /^client is "a sharded client"; it must be a client that is not sharded yet: call isotherm once, with all tables/,
          )
        }
      }
      // The client below it is not sharded, and may be wrapped again.
      expect(() => isotherm(client, options)).not.toThrow()
    })
  })
})

describe('a mock', () => {
  const mocks: { restore(): void }[] = []
  const mocked = <Mock extends { restore(): void }>(mock: Mock): Mock => {
    mocks.push(mock)
    return mock
  }
  afterEach(() => {
    for (const mock of mocks.splice(0)) mock.restore()
  })

  it('of the sharded client answers the commands of the application', async () => {
    await withTables(async ({ client, options, stored }) => {
      const db = isotherm(DynamoDBDocumentClient.from(client), options)
      const mock = mocked(mockClient(db))
      mock.on(GetCommand, { Key: { pk: 'k', sk: 1 } }).resolves({ Item: { pk: 'k', sk: 1, mocked: true } })
      const { Item } = await db.send(new GetCommand({ TableName: 'log', Key: { pk: 'k', sk: 1 } }))
      expect(Item).toEqual({ pk: 'k', sk: 1, mocked: true })
      await db.send(new PutCommand({ TableName: 'log', Item: { pk: 'k', sk: 1 } }))
      expect(mock.commandCalls(PutCommand)).toHaveLength(1)
      expect(await stored()).toEqual([])
    })
  })

  it('of a document client made from the sharded client does so, too', async () => {
    await withTables(async ({ client, options }) => {
      mocked(mockClient(DynamoDBDocumentClient))
        .on(GetCommand)
        .resolves({ Item: { pk: 'k', sk: 1 } })
      const db = DynamoDBDocumentClient.from(isotherm(client, options))
      const { Item } = await db.send(new GetCommand({ TableName: 'log', Key: { pk: 'k', sk: 1 } }))
      expect(Item).toEqual({ pk: 'k', sk: 1 })
    })
  })

  it.each([
    ['put', new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' }, sk: { N: '1' } } })],
    ['get', new GetItemCommand({ TableName: 'log', Key: { pk: { S: 'k' }, sk: { N: '1' } } })],
    ['scan', new ScanCommand({ TableName: 'log' })],
    [
      'batch',
      new BatchGetItemCommand({ RequestItems: { log: { Keys: [{ pk: { S: 'k' }, sk: { N: '1' } }] } } }),
    ],
  ])(
    'of the class of the client, which knows no physical requests, is named by the error of a %s',
    async (_what, command) => {
      await withTables(async ({ client, options }) => {
        mocked(mockClient(DynamoDBClient))
        const db = isotherm(client, options)
        await expect(db.send(command as PutItemCommand)).rejects.toMatchObject({
          code: 'client.no-answer',
          message: expect.stringMatching(
            /mocks do.*Mock the client that isotherm returned, with mockClient\(db\)/,
          ),
        })
        // Commands that are not sharded get what the mock returns.
        const other = new GetItemCommand({ TableName: 'other', Key: { pk: { S: 'k' }, sk: { N: '1' } } })
        expect(await db.send(other)).toBeUndefined()
      })
    },
  )

  it('of physical requests needs no metadata', async () => {
    await withTables(async ({ client, options }) => {
      const mock = mocked(mockClient(DynamoDBClient))
      mock.on(PutItemCommand).resolves({})
      mock.on(GetItemCommand).resolves({ Item: { pk: { S: 'k_1' }, sk: { N: '1' } } })
      const db = isotherm(client, options)
      await db.send(new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' }, sk: { N: '1' } } }))
      const { Item } = await db.send(
        new GetItemCommand({ TableName: 'log', Key: { pk: { S: 'k' }, sk: { N: '1' } } }),
      )
      expect(Item).toEqual({ pk: { S: 'k' }, sk: { N: '1' } })
      expect(mock.commandCalls(PutItemCommand)[0]?.args[0].input.Item?.pk?.S).toMatch(/^k_[1-5]$/)
    })
  })

  it('of physical reads of several items needs no metadata either', async () => {
    await withTables(async ({ client, options }) => {
      const mock = mocked(mockClient(DynamoDBClient))
      mock.on(TransactGetItemsCommand).resolves({})
      mock.on(BatchGetItemCommand).resolves({})
      const db = isotherm(client, options)
      const Key = { pk: { S: 'k' }, sk: { N: '1' } }
      const get = new TransactGetItemsCommand({ TransactItems: [{ Get: { TableName: 'log', Key } }] })
      expect((await db.send(get)).Responses).toEqual([{}])
      const batch = new BatchGetItemCommand({ RequestItems: { log: { Keys: [Key] } } })
      expect((await db.send(batch)).Responses).toEqual({ log: [] })
    })
  })
})
