import {
  type BatchGetItemCommandInput,
  PutItemCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { CUSTOMER, keyOf, type Situation, TwinTables } from '../../test/twin-tables.js'

const SHARDS = 4
const RANDOM: Situation = { name: 'random', suffix: 'random', shards: SHARDS }
const SETTLED: Situation = { name: 'settled', suffix: 'calculated', shards: SHARDS }
const ANNOUNCED: Situation = {
  name: 'announced',
  suffix: 'calculated',
  shards: 2,
  state: { shards: 2, lastUpdated: 2, history: ['1:2', '2:20'], phase: 'announced', from: 2, to: 20 },
}

const put = (id: number, TableName = 'sharded'): TransactWriteItem => ({
  Put: { TableName, Item: keyOf(id), ConditionExpression: 'attribute_not_exists(customer)' },
})
const writing = (TransactItems: TransactWriteItem[], more: Partial<TransactWriteItemsCommandInput> = {}) =>
  new TransactWriteItemsCommand({ TransactItems, ...more })

function refusal(name: string, more: object = {}): Error {
  return Object.assign(new Error('refused'), {
    name,
    $metadata: { httpStatusCode: 400, attempts: 1 },
    ...more,
  })
}
const cancelled = (...codes: readonly string[]) =>
  refusal('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) })

type Next = (args: object) => Promise<unknown>

const heat = ({ db }: TwinTables) => db.heat()[0]?.keys[0]

/** Fails each transaction with the next of the errors, and keeps the inputs of all of them. */
function failing(twins: TwinTables, errors: readonly Error[]): readonly TransactWriteItemsCommandInput[] {
  const left = [...errors]
  const sent: TransactWriteItemsCommandInput[] = []
  twins.beforeRequest = (operation, input) => {
    if (operation !== 'TransactWriteItems') return
    sent.push(input as TransactWriteItemsCommandInput)
    const error = left.shift()
    if (error !== undefined) throw error
  }
  return sent
}

describe('the units of a transaction', () => {
  it('are twice those of single writes, and are offered and accepted heat of each key', async () => {
    const twins = new TwinTables(SETTLED)
    await twins.run(async () => {
      await twins.db.send(writing([put(1), put(2)]))
      expect(heat(twins)).toMatchObject({ offeredUnitsPerSecond: 4 / 5, acceptedUnitsPerSecond: 4 / 5 })
    })
  })

  it('are offered only, if it is cancelled', async () => {
    const twins = new TwinTables(SETTLED)
    failing(twins, [cancelled('ConditionalCheckFailed')])
    await twins.run(async () => {
      await expect(twins.db.send(writing([put(1)]))).rejects.toThrow()
      expect(heat(twins)).toMatchObject({ offeredUnitsPerSecond: 2 / 5, acceptedUnitsPerSecond: 0 })
    })
  })

  it('are throttled where the reason of its action is a throttle, and nowhere else', async () => {
    const twins = new TwinTables(SETTLED)
    const other = { ...put(9).Put, Item: { ...keyOf(9), customer: { S: 'c_2' } }, TableName: 'sharded' }
    failing(twins, [cancelled('None', 'ThrottlingError')])
    await twins.run(async () => {
      await twins.db.send(writing([put(1), { Put: other }]))
      const throttled = twins.db
        .heat()[0]
        ?.keys.map(({ logicalKey, throttledUnitsPerSecond }) => [logicalKey, throttledUnitsPerSecond > 0])
      expect(throttled?.toSorted()).toEqual([
        ['c_1', false],
        ['c_2', true],
      ])
    })
  })

  it('are throttled for reasons that a cancellation does not tell', async () => {
    const twins = new TwinTables(SETTLED)
    failing(twins, [cancelled('ThrottlingError')])
    await twins.run(async () => {
      await twins.db.send(writing([put(1)]))
      expect(twins.events).toMatchObject([{ type: 'throttled', attempt: 1, reasons: [] }])
    })
  })

  it.each([
    [[put(1)], SETTLED, true],
    [[put(1), put(3, 'other')], SETTLED, true],
    [[put(1), put(2)], SETTLED, false],
    // The library checks its other place.
    [[put(1)], ANNOUNCED, true],
  ] as const)(
    'are throttled with the whole transaction, if only one action can be meant: %#',
    async (actions, situation, isThrottled) => {
      const twins = new TwinTables(situation)
      const errors = [refusal('ProvisionedThroughputExceededException')]
      await twins.run(async () => {
        // Below the SDK's retries, where the library sees each attempt.
        const refusing = (next: Next, context: { commandName?: string }) => async (args: object) => {
          const error = context.commandName === 'TransactWriteItemsCommand' ? errors.shift() : undefined
          if (error !== undefined) throw error
          return next(args)
        }
        const below = { relation: 'before', toMiddleware: 'deserializerMiddleware' } as const
        twins.plain.middlewareStack.addRelativeTo(refusing as never, below)
        await twins.db.send(writing([...actions]))
        expect((heat(twins)?.throttledUnitsPerSecond ?? 0) > 0).toBe(isThrottled)
      })
    },
  )

  it('are summed with those of the search, if the application asks for them', async () => {
    const twins = new TwinTables(RANDOM)
    await twins.run(async () => {
      const asked = { ReturnConsumedCapacity: 'TOTAL' } as const
      const { ConsumedCapacity } = await twins.db.send(writing([put(1)], asked))
      // Each shard is read consistently for one unit, and the write costs two.
      expect(ConsumedCapacity).toMatchObject([{ TableName: 'sharded', CapacityUnits: SHARDS + 2 }])
      expect((await twins.db.send(writing([put(2)]))).ConsumedCapacity).toBeUndefined()
    })
  })
})

describe('a transaction that fails for another reason', () => {
  it('has the error of the service as it is', async () => {
    const twins = new TwinTables(SETTLED)
    const error = refusal('ResourceNotFoundException')
    failing(twins, [error])
    await twins.run(async () => {
      await expect(twins.db.send(writing([put(1)]))).rejects.toBe(error)
      expect(error.message).toBe('refused')
    })
  })

  it('has a reason for each of its members, though the service tells none', async () => {
    const twins = new TwinTables(SETTLED)
    failing(twins, [refusal('TransactionCanceledException')])
    await twins.run(async () => {
      await expect(twins.db.send(writing([put(1), put(2)]))).rejects.toMatchObject({
        CancellationReasons: [{ Code: 'None' }, { Code: 'None' }],
      })
    })
  })
})

describe('a transaction whose items change again and again', () => {
  it('fails with a conflict for its sharded members, and has another token each time', async () => {
    const twins = new TwinTables(ANNOUNCED)
    const conflict = () => cancelled('TransactionConflict', 'None', 'None')
    const sent = failing(twins, Array.from({ length: 50 }, conflict))
    await twins.run(async () => {
      await expect(twins.db.send(writing([put(1), put(2, 'other')]))).rejects.toMatchObject({
        name: 'TransactionCanceledException',
        message: expect.stringContaining('moved again and again'),
        CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
        $metadata: { httpStatusCode: 400 },
      })
    })
    expect(sent).toHaveLength(21)
    expect(new Set(sent.map(({ ClientRequestToken }) => ClientRequestToken)).size).toBe(21)
  })
})

describe('a transaction whose search is left unprocessed', () => {
  function leaving(twins: TwinTables, times: number): () => number {
    let reads = 0
    twins.answerInstead = (operation, input) => {
      if (operation !== 'BatchGetItem' || reads++ >= times) return undefined
      const { RequestItems } = input as BatchGetItemCommandInput
      return { $metadata: {}, Responses: {}, UnprocessedKeys: RequestItems }
    }
    return () => reads
  }

  it('searches again after a wait, and is carried out', async () => {
    const twins = new TwinTables(RANDOM)
    const reads = leaving(twins, 2)
    await twins.run(async () => {
      const { $metadata } = await twins.db.send(writing([put(1)]))
      expect($metadata.totalRetryDelay).toBeGreaterThan(0)
      expect((await twins.contents()).sharded).toHaveLength(1)
    })
    expect(reads()).toBe(3)
  })

  it('fails when no attempt is left, and nothing is written', async () => {
    const twins = new TwinTables(RANDOM, { maxAttempts: 4 })
    const reads = leaving(twins, 100)
    await twins.run(async () => {
      await expect(twins.db.send(writing([put(1)]))).rejects.toMatchObject({
        name: 'ProvisionedThroughputExceededException',
        message: expect.stringContaining('left unprocessed'),
        $metadata: { httpStatusCode: 400 },
      })
    })
    expect(reads()).toBe(4)
  })
})

describe('a transaction on a table with a random suffix', () => {
  it('reads nothing for a put that can ignore an existing item, and every shard for any other action', async () => {
    const operationsOf = async (action: TransactWriteItem) => {
      const twins = new TwinTables(RANDOM)
      const seen: string[] = []
      await twins.run(async () => {
        await twins.db.send(writing([put(7)]))
        twins.beforeRequest = (operation) => {
          seen.push(operation)
        }
        await twins.db.send(writing([action]))
      })
      return seen
    }
    const searched = ['BatchGetItem', 'TransactWriteItems']
    const Key = keyOf(1)
    const none = 'attribute_not_exists(customer)'
    expect(await operationsOf({ Put: { TableName: 'sharded', Item: Key } })).toEqual(['TransactWriteItems'])
    expect(await operationsOf(put(1))).toEqual(searched)
    expect(await operationsOf({ Delete: { TableName: 'sharded', Key } })).toEqual(searched)
    const check = { TableName: 'sharded', Key, ConditionExpression: none }
    expect(await operationsOf({ ConditionCheck: check })).toEqual(searched)
  })

  it('deletes every copy of an item that was put twice, with one reason for the application', async () => {
    const twins = new TwinTables(RANDOM)
    await twins.run(async () => {
      for (const shard of [1, 3, 4]) {
        const customer = { S: `${CUSTOMER.S}_${shard}` }
        await twins.plain.send(new PutItemCommand({ TableName: 'sharded', Item: { ...keyOf(1), customer } }))
      }
      const removal = (condition: string) =>
        writing([
          {
            Delete: { TableName: 'sharded', Key: keyOf(1), ConditionExpression: condition },
          },
          put(2, 'other'),
        ])
      await expect(twins.db.send(removal('attribute_exists(absent)'))).rejects.toMatchObject({
        CancellationReasons: [{ Code: 'ConditionalCheckFailed' }, { Code: 'None' }],
      })
      await twins.db.send(removal('attribute_exists(customer)'))
      expect((await twins.contents()).sharded).toEqual([])
    })
  })
})

describe('the answer to a transaction', () => {
  it('has the logical keys in its metrics of sharded tables', async () => {
    const twins = new TwinTables(SETTLED)
    const metrics = (customer: string) => [{ ItemCollectionKey: { customer: { S: customer } } }]
    twins.answerInstead = () => ({
      $metadata: {},
      ItemCollectionMetrics: { sharded: metrics('c_1_3'), other: metrics('c_1_3') },
    })
    await twins.run(async () => {
      const { ItemCollectionMetrics } = await twins.db.send(writing([put(1)]))
      expect(ItemCollectionMetrics).toEqual({ sharded: metrics('c_1'), other: metrics('c_1_3') })
    })
  })

  it('to a member that is two actions is that of the service', async () => {
    const twins = new TwinTables(SETTLED)
    await twins.run(async () => {
      const both = { ...put(1), Delete: { TableName: 'sharded', Key: keyOf(1) } }
      for (const members of [[both, put(2)], [both]]) {
        await expect(twins.db.send(writing(members))).rejects.toMatchObject({ name: 'ValidationException' })
      }
      await expect(twins.db.send(writing([]))).rejects.toMatchObject({ name: 'ValidationException' })
    })
  })
})
