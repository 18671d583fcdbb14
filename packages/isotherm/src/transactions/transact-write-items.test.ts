import {
  BatchGetItemCommand,
  TransactGetItemsCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { keyOf, type Situation, TwinTables } from '../../test/twin-tables.js'

const RANDOM: Situation = { name: 'random', suffix: 'random', shards: 4 }
const ANNOUNCED: Situation = {
  name: 'announced',
  suffix: 'calculated',
  shards: 2,
  state: {
    shards: 2,
    lastUpdated: 2,
    history: ['1:2', '2:20'],
    phase: 'announced',
    from: 2,
    to: 20,
  },
}
const MOVED: Situation = {
  name: 'moved',
  suffix: 'calculated',
  shards: 5,
  state: { shards: 5, lastUpdated: 2, history: ['1:2', '2:5'], phase: 'moved', from: 2, to: 5 },
}
/** The number of an item that moves in this situation. */
const LEAVING = 0
const [MOVE, INCREMENT] = ['a move', 'the increment']
const SETTLED: Situation = { name: 'settled', suffix: 'calculated', shards: 4 }

const put = (id: number): TransactWriteItem => ({ Put: { TableName: 'sharded', Item: keyOf(id) } })
const increment = (id: number): TransactWriteItem => ({
  Update: {
    TableName: 'sharded',
    Key: keyOf(id),
    UpdateExpression: 'ADD version :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
  },
})
const writing = (TransactItems: TransactWriteItem[], more: Partial<TransactWriteItemsCommandInput> = {}) =>
  new TransactWriteItemsCommand({ TransactItems, ...more })

async function versionOf(twins: TwinTables, id: number) {
  const command = new BatchGetItemCommand({
    RequestItems: { sharded: { Keys: [keyOf(id)], ConsistentRead: true } },
  })
  const { Responses } = await twins.db.send(command)
  return Responses?.sharded?.map(({ version }) => version?.N)
}

function cancelled(...codes: readonly string[]): Error {
  return Object.assign(new Error('cancelled'), {
    name: 'TransactionCanceledException',
    $metadata: { httpStatusCode: 400, attempts: 1 },
    CancellationReasons: codes.map((Code) => ({ Code })),
  })
}

function unanswered(): Error {
  return Object.assign(new Error('lost'), { name: 'InternalServerError', $metadata: { httpStatusCode: 500 } })
}

interface Arguments {
  readonly input: object
}

type Next = (args: Arguments) => Promise<unknown>

describe('an update in a transaction', () => {
  it('is rejected if it reads the partition key, which would copy a suffix into another attribute', async () => {
    const twins = new TwinTables(SETTLED)
    await twins.run(async () => {
      const update = {
        TableName: 'sharded',
        Key: keyOf(1),
        UpdateExpression: 'SET copied = #key',
        ExpressionAttributeNames: { '#key': 'customer' },
      }
      await expect(twins.db.send(writing([{ Update: update }]))).rejects.toMatchObject({
        code: 'command.parameter-unsupported',
      })
      expect((await twins.contents()).sharded).toEqual([])
    })
  })
})

describe('a transaction on sharded tables', () => {
  it('is rejected with the text of the service when two members concern one item', async () => {
    const twins = new TwinTables(RANDOM)
    await twins.run(async () => {
      await expect(twins.db.send(writing([put(1), increment(1)]))).rejects.toMatchObject({
        name: 'ValidationException',
        message: 'Transaction request cannot include multiple operations on one item',
      })
      const many = Array.from({ length: 101 }, (_, id) => put(id))
      await expect(twins.db.send(writing(many))).rejects.toMatchObject({ name: 'ValidationException' })
    })
  })

  it('is rejected when it takes too many actions after rewriting, with both numbers', async () => {
    const creating = new TwinTables(ANNOUNCED)
    await creating.run(async () => {
      const many = Array.from({ length: 90 }, (_, id) => put(id))
      await expect(creating.db.send(writing(many))).rejects.toMatchObject({
        code: 'transaction.too-large',
        details: { operation: 'TransactWriteItems', members: 90, maxActions: 100 },
      })
      expect((await creating.contents()).sharded).toEqual([])
    })
    const reading = new TwinTables(RANDOM)
    await reading.run(async () => {
      const gets = Array.from({ length: 26 }, (_, id) => ({ Get: { TableName: 'sharded', Key: keyOf(id) } }))
      await expect(
        reading.db.send(new TransactGetItemsCommand({ TransactItems: gets })),
      ).rejects.toMatchObject({
        code: 'transaction.too-large',
        details: { operation: 'TransactGetItems', members: 26, actions: 104 },
      })
    })
  })

  it.each([
    ['before it was found', true, ['BatchGetItem', MOVE, 'BatchGetItem', INCREMENT]],
    ['after it was found', false, ['BatchGetItem', INCREMENT, MOVE, 'BatchGetItem', INCREMENT]],
  ] as const)(
    'finishes the move of an item that was begun %s, and is carried out at once',
    async (_when, isMarked, requests) => {
      const twins = new TwinTables(MOVED)
      const sent: string[] = []
      twins.beforeRequest = async (operation, input) => {
        if (operation === 'BatchGetItem') sent.push(operation)
        if (operation !== 'TransactWriteItems') return
        const [first] = (input as TransactWriteItemsCommandInput).TransactItems ?? []
        sent.push(first?.Update === undefined ? MOVE : INCREMENT)
        if (!isMarked && sent.length === 2) await twins.stepMove(LEAVING)
      }
      await twins.run(async () => {
        await twins.seed({ ...keyOf(LEAVING), version: { N: '0' } }, { place: 0, isMarked })
        const { $metadata } = await twins.db.send(writing([increment(LEAVING)]))
        expect(sent).toEqual(requests)
        expect($metadata.totalRetryDelay).toBe(0)
        expect(await versionOf(twins, LEAVING)).toEqual(['1'])
      })
    },
  )

  it('searches an item again that is no longer where it was found', async () => {
    const twins = new TwinTables(MOVED)
    await twins.run(async () => {
      for (let id = 0; id < 8; id++) {
        await twins.seed({ ...keyOf(id), version: { N: '0' } }, { place: 0, isMarked: false })
      }
      twins.beforeRequest = async (operation) => {
        if (operation !== 'TransactWriteItems') return
        for (let id = 0; id < 8; id++) await twins.stepMove(id)
      }
      for (let id = 0; id < 8; id++) await twins.db.send(writing([increment(id)]))
      for (let id = 0; id < 8; id++) expect(await versionOf(twins, id)).toEqual(['1'])
    })
  })

  it('is retried with one token when it was throttled, and finally fails with the reasons of its own members', async () => {
    const twins = new TwinTables(SETTLED, { maxAttempts: 4 })
    const tokens: unknown[] = []
    let refusals = 2
    twins.beforeRequest = (operation, input) => {
      if (operation !== 'TransactWriteItems') return
      tokens.push((input as TransactWriteItemsCommandInput).ClientRequestToken)
      if (refusals-- > 0) throw cancelled('None', 'ThrottlingError')
    }
    await twins.run(async () => {
      const output = await twins.db.send(writing([increment(1), increment(2)]))
      expect(output.$metadata.attempts).toBe(3)
      expect(await versionOf(twins, 2)).toEqual(['1'])
      expect(new Set(tokens).size).toBe(1)
      refusals = 100
      await expect(twins.db.send(writing([increment(1), increment(2)]))).rejects.toMatchObject({
        name: 'TransactionCanceledException',
        CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError' }],
        $metadata: { attempts: 4 },
      })
    })
  })

  it('is executed once for one token, and rejected when it would be a different request by now', async () => {
    const twins = new TwinTables(RANDOM)
    await twins.run(async () => {
      const token = { ClientRequestToken: 'once' }
      await twins.db.send(writing([increment(1)], token))
      await twins.db.send(writing([increment(1)], token))
      expect(await versionOf(twins, 1)).toEqual(['1'])
      await expect(twins.db.send(writing([increment(2)], token))).rejects.toMatchObject({
        name: 'IdempotentParameterMismatchException',
      })
    })
  })

  it('is executed once when an attempt without a response arrives after a rejected one', async () => {
    const twins = new TwinTables(ANNOUNCED)
    const sent: TransactWriteItemsCommandInput[] = []
    await twins.run(async () => {
      await twins.db.send(writing([increment(1)]))
      const answers = [unanswered(), cancelled('TransactionConflict')]
      // Below the SDK's retries, so that the SDK itself retries after the first attempt.
      const meddling = (next: Next, context: { commandName?: string }) => async (args: Arguments) => {
        if (context.commandName !== 'TransactWriteItemsCommand') return next(args)
        sent.push(args.input as TransactWriteItemsCommandInput)
        const answer = answers.shift()
        if (answer !== undefined) throw answer
        return next(args)
      }
      const below = { relation: 'before', toMiddleware: 'deserializerMiddleware' } as const
      twins.plain.middlewareStack.addRelativeTo(meddling as never, below)
      await twins.db.send(writing([increment(1)]))
      const [late] = sent
      expect(sent).toHaveLength(3)
      await twins.plain.send(new TransactWriteItemsCommand(late as TransactWriteItemsCommandInput))
      expect(await versionOf(twins, 1)).toEqual(['2'])
    })
  })

  it('creates an item in one of its two shards only if it is in neither', async () => {
    const twins = new TwinTables(ANNOUNCED)
    const sent: TransactWriteItem[] = []
    twins.beforeRequest = (operation, input) => {
      if (operation === 'TransactWriteItems')
        sent.push(...((input as TransactWriteItemsCommandInput).TransactItems ?? []))
    }
    await twins.run(async () => {
      for (let id = 0; id < 5; id++) await twins.db.send(writing([increment(id)]))
      for (let id = 0; id < 5; id++) await twins.db.send(writing([increment(id)]))
      for (let id = 0; id < 5; id++) expect(await versionOf(twins, id)).toEqual(['2'])
    })
    const checks = sent.filter(({ ConditionCheck }) => ConditionCheck !== undefined)
    expect(checks.length).toBeGreaterThan(0)
    expect(checks.length).toBeLessThanOrEqual(5)
  })
})
