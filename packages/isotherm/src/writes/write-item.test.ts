import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  TransactionCanceledException,
  TransactionConflictException,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, scanned, shardedEngine } from '../../test/sharded-engine.js'
import { isotherm } from '../client/isotherm.js'
import { announce, drain, move, settle } from '../protocol/states/calculated-count.js'
import { firstState } from '../protocol/states/shard-state.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'

type Handler = (args: unknown) => Promise<{ output: Record<string, unknown> }>

/** Runs between the library's last check of an attempt and the engine. */
function intercept(
  client: DynamoDBClient,
  on: (operation: string, next: () => ReturnType<Handler>) => ReturnType<Handler>,
) {
  const sent: string[] = []
  client.middlewareStack.add(
    ((next: Handler, { commandName }: { commandName: string }) =>
      (args: unknown) => {
        sent.push(commandName)
        return on(commandName, () => next(args))
      }) as never,
    { step: 'finalizeRequest', priority: 'low' },
  )
  return sent
}

async function within(
  table: Parameters<typeof shardedEngine>[0],
  work: (engine: ShardedEngine) => Promise<void>,
): Promise<void> {
  const engine = await shardedEngine(table)
  await engine.clock.run(() => work(engine))
  await engine.close()
}

const Key = { pk: { S: 'k' }, sk: { N: '7' } }
const stored = { ...Key, v: { N: '1' } }
const put = (input: Partial<PutItemCommandInput> = {}) =>
  new PutItemCommand({ TableName: 'log', Item: stored, ...input })
const update = (input: Partial<UpdateItemCommandInput> = {}) =>
  new UpdateItemCommand({
    TableName: 'log',
    Key,
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
    ...input,
  })
const get = (input: object = {}) =>
  new GetItemCommand({ TableName: 'log', Key, ConsistentRead: true, ...input })

const CALCULATED = { suffix: 'calculated', shards: dynamicShards({ initial: 2 }) } as const
const RANDOM = { suffix: 'random', shards: fixedShards(3), checkItems: false } as const
/** The home shards of sort key 7, with 2 and with 5 shards. */
const [OLD_PLACE, NEW_PLACE] = ['k_2', 'k_5']
const changing = move(announce(firstState(2, 1_000), 5, 2_000), 3_000)

const storedAt = async ({ client }: ShardedEngine) => (await scanned(client, 'log')).map(({ pk }) => pk?.S)

/** Bytes of any class as text. */
const plainBytes = (item: object | undefined) =>
  JSON.parse(
    JSON.stringify(item, (_name, value) => (value?.type === 'Buffer' ? value.data : value)),
    (_name, value) =>
      value?.BS === undefined ? value : value.BS.map((bytes: object) => Object.values(bytes)),
  )

describe('a write of a calculated key', () => {
  it('is decided again when it was delayed for longer than the validity of its data', () =>
    within(CALCULATED, async (engine) => {
      const { clock, client } = engine
      await engine.setState(firstState(2, 1_000))
      const db = engine.process()
      let isHeldUp = false
      const sent = intercept(client, async (operation, next) => {
        if (operation === 'PutItemCommand' && !isHeldUp) {
          isHeldUp = true
          await engine.setState(settle(drain(changing, 3_500), 4_000))
          await clock.sleep(10_001)
        }
        return next()
      })
      await db.send(get())
      sent.length = 0
      await db.send(put())
      expect(await storedAt(engine)).toEqual([NEW_PLACE])
    }))

  it('creates an item with two possible shards in a transaction, once, however often that is cancelled', () =>
    within(CALCULATED, async (engine) => {
      await engine.setState(changing)
      const reasons = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']
      const sent = intercept(engine.client, (operation, next) => {
        const Code = operation === 'TransactWriteItemsCommand' ? reasons.shift() : undefined
        if (Code === undefined) return next()
        throw cancelled(Code)
      })
      const output = await engine.process().send(update({ ReturnValues: 'ALL_NEW' }))
      expect(output.Attributes).toEqual({ ...Key, n: { N: '1' } })
      expect(sent.filter((operation) => operation === 'TransactWriteItemsCommand')).toHaveLength(4)
      expect(await storedAt(engine)).toEqual([NEW_PLACE])
    }))

  it('returns of an item that it creates in a transaction what the service would', () =>
    within(CALCULATED, async (engine) => {
      await engine.setState(changing)
      const creation = (TableName: string, ReturnValues: 'ALL_NEW' | 'UPDATED_NEW', sk: string) =>
        update({
          TableName,
          Key: { ...Key, sk: { N: sk } },
          UpdateExpression: 'SET n = :n, l = :l, s = :s, t = :t, b = :b ADD m :m',
          ExpressionAttributeValues: {
            ':n': { N: '1.50' },
            ':m': { N: '1e3' },
            ':l': { L: [{ N: '007' }, { M: { a: { N: '+5' }, b: { S: 'x' } } }] },
            ':s': { NS: ['3.0', '1e1', '02'] },
            ':t': { SS: ['b', 'a'] },
            ':b': { BS: [Buffer.from('b'), Buffer.from('a')] },
          },
          ReturnValues,
        })
      const db = engine.process()
      const sent = intercept(engine.client, (_operation, next) => next())
      for (const [returns, sk] of [
        ['ALL_NEW', '7.0'],
        ['UPDATED_NEW', '17'],
      ] as const) {
        const { Attributes: expected } = await engine.client.send(creation('plain', returns, sk))
        const { Attributes } = await db.send(creation('log', returns, sk))
        expect(plainBytes(Attributes)).toEqual(plainBytes(expected))
      }
      expect(sent).toContain('TransactWriteItemsCommand')
    }))

  it('is rejected as by the service if its key has an attribute too many, also where it would create the item in a transaction', () =>
    within(CALCULATED, async (engine) => {
      await engine.setState(changing)
      const db = engine.process()
      const wrong = { ...Key, other: { S: 'x' } }
      for (const commandOf of [
        (TableName: string) => update({ TableName, Key: wrong }),
        (TableName: string) => new DeleteItemCommand({ TableName, Key: wrong }),
      ]) {
        const expected = await engine.client
          .send(commandOf('plain') as UpdateItemCommand)
          .catch((error) => error)
        expect(expected).toMatchObject({ name: 'ValidationException' })
        const { name, message } = expected
        await expect(db.send(commandOf('log') as UpdateItemCommand)).rejects.toMatchObject({ name, message })
      }
      expect(await storedAt(engine)).toEqual([])
    }))

  it("throws the SDK's throttling error when its transaction stays throttled", () =>
    within({ ...CALCULATED, maxAttempts: 3 }, async (engine) => {
      await engine.setState(changing)
      intercept(engine.client, (operation, next) => {
        if (operation === 'TransactWriteItemsCommand') throw cancelled('ThrottlingError')
        return next()
      })
      await expect(engine.process().send(put())).rejects.toMatchObject({ name: 'ThrottlingException' })
    }))

  it('waits while a transaction holds its item', () =>
    within(CALCULATED, async (engine) => {
      let conflicts = 2
      intercept(engine.client, (operation, next) => {
        if (operation === 'UpdateItemCommand' && conflicts-- > 0) {
          throw new TransactionConflictException({
            message: 'Transaction is ongoing for the item',
            $metadata: { httpStatusCode: 400 },
          })
        }
        return next()
      })
      const from = engine.clock.now()
      const { $metadata } = await engine.process().send(update())
      expect($metadata.attempts).toBe(3)
      expect(engine.clock.now()).toBeGreaterThan(from)
    }))

  it('reads the new shard a second time, because the reads of a batch are not from one moment', () =>
    within(CALCULATED, async (engine) => {
      await engine.setState(changing)
      await engine.client.send(put({ Item: { ...stored, pk: { S: NEW_PLACE } } }))
      let isTorn = true
      const sent = intercept(engine.client, async (operation, next) => {
        const answer = await next()
        if (operation !== 'BatchGetItemCommand' || !isTorn) return answer
        isTorn = false
        return { ...answer, output: { ...answer.output, Responses: { log: [] } } }
      })
      const { Item } = await engine.process().send(get())
      expect(Item).toEqual(stored)
      expect(sent.filter((operation) => operation === 'BatchGetItemCommand')).toHaveLength(2)
    }))

  it('completes a move that it encounters, even if this process knows of no change', () =>
    within(CALCULATED, async (engine) => {
      await engine.setState(firstState(2, 1_000))
      const db = engine.process()
      await db.send(put())
      await engine.setState(changing)
      await engine.client.send(
        update({
          Key: { ...Key, pk: { S: OLD_PLACE } },
          UpdateExpression: 'SET isotherm_moving = :name',
          ExpressionAttributeValues: { ':name': { S: '5:1' } },
        }),
      )
      const { Attributes } = await db.send(update({ ReturnValues: 'ALL_NEW' }))
      expect(Attributes).toEqual({ ...stored, n: { N: '1' } })
      expect(await storedAt(engine)).toEqual([NEW_PLACE])
    }))

  it('is one plain write while the count is not changing', () =>
    within(CALCULATED, async (engine) => {
      const db = engine.process()
      await db.send(put())
      const sent = intercept(engine.client, (_operation, next) => next())
      await db.send(update())
      await db.send(new DeleteItemCommand({ TableName: 'log', Key }))
      expect(sent).toEqual(['UpdateItemCommand', 'DeleteItemCommand'])
    }))
})

describe('a read', () => {
  it('is repeated when it took so long that the item may have moved to a shard that was not read', () =>
    within(CALCULATED, async (engine) => {
      const db = engine.process()
      await db.send(put())
      let isLate = true
      const sent = intercept(engine.client, async (operation, next) => {
        const answer = await next()
        if (operation === 'GetItemCommand' && isLate) {
          isLate = false
          await engine.clock.sleep(30_001)
        }
        return answer
      })
      expect((await db.send(get())).Item).toEqual(stored)
      // The item, the card again, and the item again.
      expect(sent).toEqual(['GetItemCommand', 'GetItemCommand', 'GetItemCommand'])
    }))

  it('of a key with a random suffix reads every shard, and reports the total capacity', () =>
    within(RANDOM, async (engine) => {
      const db = engine.process()
      await db.send(put())
      const eventual = { ConsistentRead: false, ReturnConsumedCapacity: 'TOTAL' as const }
      const found = await db.send(get({ ...eventual, ProjectionExpression: 'v' }))
      expect(found).toMatchObject({ Item: { v: { N: '1' } }, ConsumedCapacity: { CapacityUnits: 1.5 } })
      expect(found.Item).not.toHaveProperty('pk')
      const { ConsumedCapacity } = await db.send(update({ ReturnConsumedCapacity: 'TOTAL' }))
      expect(ConsumedCapacity).toMatchObject({ TableName: 'log', CapacityUnits: 4 })
    }))

  it('retries the unprocessed keys of a batch', () =>
    within(RANDOM, async (engine) => {
      const db = engine.process()
      await db.send(put())
      let isFirst = true
      intercept(engine.client, async (operation, next) => {
        const answer = await next()
        if (operation !== 'BatchGetItemCommand' || !isFirst) return answer
        isFirst = false
        const Keys = [1, 2, 3].map((shard) => ({ ...Key, pk: { S: `k_${shard}` } }))
        return { ...answer, output: { ...answer.output, Responses: {}, UnprocessedKeys: { log: { Keys } } } }
      })
      expect((await db.send(get())).Item).toEqual(stored)
    }))
})

describe('an item that was put into two shards', () => {
  it('is the copy in the lowest one, and a delete removes both', () =>
    within(RANDOM, async (engine) => {
      const db = engine.process()
      for (const shard of [1, 3]) {
        await engine.client.send(put({ Item: { ...Key, pk: { S: `k_${shard}` }, v: { N: String(shard) } } }))
      }
      expect((await db.send(get())).Item).toEqual(stored)
      const deletion = { TableName: 'log', Key, ReturnValues: 'ALL_OLD' as const }
      const refused = {
        ...deletion,
        ConditionExpression: 'v = :n',
        ExpressionAttributeValues: { ':n': { N: '3' } },
      }
      await expect(db.send(new DeleteItemCommand(refused))).rejects.toMatchObject({
        name: 'ConditionalCheckFailedException',
      })
      expect((await db.send(new DeleteItemCommand(deletion))).Attributes).toEqual(stored)
      expect(await storedAt(engine)).toEqual([])
    }))
})

describe('an invalid write for a sharded table', () => {
  it('is rejected with a specific error and the remedy, and nothing is sent', () =>
    within(RANDOM, async (engine) => {
      const db = engine.process()
      const sent = intercept(engine.client, (_operation, next) => next())
      const names = { ExpressionAttributeNames: { '#p': 'pk', '#m': 'isotherm_moving' } }
      const refused: [PutItemCommand | UpdateItemCommand, RegExp][] = [
        [put({ Expected: {} }), /ConditionExpression/],
        [new UpdateItemCommand({ TableName: 'log', Key, AttributeUpdates: {} }), /UpdateExpression/],
        [put({ Item: { ...stored, isotherm_moving: { S: 'x' } } }), /isotherm_moving/],
        [update({ UpdateExpression: 'REMOVE #m', ...names }), /isotherm_moving/],
        [update({ ConditionExpression: '#p = v', ...names }), /isotherm_moving|another attribute/],
        [put({ ConditionExpression: 'pk = v' }), /with another attribute/],
        [update({ UpdateExpression: 'SET v = pk' }), /reads the partition key/],
      ]
      for (const [command, cure] of refused) {
        await expect(db.send(command as PutItemCommand)).rejects.toMatchObject({
          code: 'command.parameter-unsupported',
          message: expect.stringMatching(cure),
        })
      }
      await expect(db.send(update({ UpdateExpression: 'SET v = :nothing' }))).rejects.toMatchObject({
        name: 'ValidationException',
      })
      expect(sent.filter((operation) => operation !== 'BatchGetItemCommand')).toEqual(['UpdateItemCommand'])
    }))
})

describe('a document command', () => {
  it('accepts and returns plain values', () =>
    within(CALCULATED, async (engine) => {
      const db = isotherm(DynamoDBDocumentClient.from(engine.client), {
        tables: { log: { partitionKey: 'pk', sortKey: 'sk', ...CALCULATED } },
        clock: engine.clock,
      })
      const command = new UpdateCommand({
        TableName: 'log',
        Key: { pk: 'k', sk: 7 },
        UpdateExpression: 'ADD n :one',
        ConditionExpression: 'attribute_not_exists(pk)',
        ExpressionAttributeValues: { ':one': 1 },
        ReturnValues: 'ALL_NEW',
      })
      expect((await db.send(command)).Attributes).toEqual({ pk: 'k', sk: 7, n: 1 })
    }))
})

function cancelled(Code: string): TransactionCanceledException {
  return new TransactionCanceledException({
    message: 'Transaction cancelled',
    CancellationReasons: [{ Code }, { Code: 'None' }],
    $metadata: { httpStatusCode: 400 },
  })
}
