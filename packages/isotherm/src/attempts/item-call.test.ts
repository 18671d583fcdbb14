import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import {
  type Answer,
  answerWith,
  noResponse,
  ScriptedClient,
  serviceError,
} from '../../test/scripted-client.js'
import { hotPartitionError } from '../../test/throttling.js'
import { ItemCall } from './item-call.js'
import { answered, CHANGED } from './outcome.js'
import type { SendingTable } from './sending-table.js'

const VIEW = { validUntil: Number.POSITIVE_INFINITY }
const CONTEXT = { options: undefined, carryMiddleware: () => {} }
const untold = async () => undefined
const put = () => new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' } } })
const get = () => new GetItemCommand({ TableName: 'log', Key: { pk: { S: 'k' } } })
const capacity = (CapacityUnits: number) => ({ ConsumedCapacity: { TableName: 'log', CapacityUnits } })

type Input = ConstructorParameters<typeof ItemCall>[2]

/** A call of an application, and the client that it sends its requests with. */
function callOf(
  answers: readonly Answer[],
  input: Input = { TableName: 'log' },
  limits: { readonly maxAttempts?: number; readonly retryMilliseconds?: number } = {},
) {
  const clock = new VirtualClock(0)
  const scripted = new ScriptedClient(...answers)
  const options = {
    name: 'log',
    maxAttempts: 5,
    retryMilliseconds: 10_000,
    lateRequestMilliseconds: 5_000,
    ...limits,
  }
  const table = { client: scripted.client, clock, random: new SeededRandom(1), options }
  return { clock, scripted, call: new ItemCall(table as unknown as SendingTable, CONTEXT, input) }
}

describe('a call', () => {
  it('has the name or the ARN by which the application knows the table', () => {
    expect(callOf([], { TableName: 'arn:aws:dynamodb:eu:1:table/log' }).call.tableName).toMatch(/^arn/)
    expect(callOf([], { TableName: undefined }).call.tableName).toBe('log')
  })

  it('sends its write again after a throttle and a conflict', async () => {
    const conflict = serviceError('TransactionConflictException')
    const { clock, call, scripted } = callOf([hotPartitionError(), conflict, answerWith()])
    expect(await clock.run(() => call.write(put(), VIEW, untold))).toMatchObject({ kind: 'answered' })
    expect(scripted.attempts).toBe(3)
  })

  it('keeps the attempt of a write without a response, and not that of a read', async () => {
    const { clock, call } = callOf([noResponse()])
    await clock.run(async () => {
      await expect(call.read(get(), VIEW, untold)).rejects.toThrow('socket hang up')
      expect(call.budget.unanswered).toBeUndefined()
      expect(await call.write(put(), VIEW, untold)).toMatchObject({ kind: 'failed' })
      expect(call.budget.unanswered).toBeInstanceOf(Error)
    })
  })

  it('has a deadline for a write, and none for a read, which may come at any time', async () => {
    const { clock, call, scripted } = callOf([answerWith()])
    const deadlines: unknown[] = []
    scripted.onAttempt = ({ options }) => deadlines.push(options?.abortSignal)
    await clock.run(async () => {
      await call.read(get(), { validUntil: 10_000 }, untold)
      await call.write(put(), { validUntil: 10_000 }, untold)
    })
    expect(deadlines).toEqual([undefined, expect.any(AbortSignal)])
  })

  it('ends with the conflict if that does not pass', async () => {
    const error = serviceError('TransactionConflictException')
    const { clock, call } = callOf([error], undefined, { maxAttempts: 2 })
    const outcome = await clock.run(() => call.write(put(), VIEW, untold))
    expect(outcome).toEqual({ kind: 'refused', error })
  })

  it('shares its attempts between all of its requests', async () => {
    const { clock, call } = callOf([hotPartitionError()], undefined, { maxAttempts: 3 })
    await clock.run(async () => {
      await call.write(put(), VIEW, untold)
      expect(await call.write(put(), VIEW, untold)).toMatchObject({
        kind: 'refused',
        error: { $metadata: { attempts: 4 } },
      })
    })
  })

  it('whose item changes each time ends with a conflict, as a transaction of others would end it', async () => {
    const { clock, call } = callOf([])
    await clock.run(() =>
      expect(call.decided(async () => CHANGED)).rejects.toMatchObject({
        name: 'TransactionConflictException',
        $metadata: { httpStatusCode: 400 },
      }),
    )
    await clock.run(async () => expect(await call.decided(async () => answered(7))).toBe(7))
  })
})

describe('the capacity of a call', () => {
  it('is asked for with each request if the application asked for it', () => {
    expect(callOf([]).call.capacityAsked).toStrictEqual({})
    expect(callOf([], { TableName: 'log', ReturnConsumedCapacity: 'INDEXES' }).call.capacityAsked).toEqual({
      ReturnConsumedCapacity: 'INDEXES',
    })
  })

  it.each([
    ['is the sum of all requests', 'TOTAL', { TableName: 'log', CapacityUnits: 3 }],
    ['is not shown if it was not asked for', undefined, undefined],
    ['is not shown if the application asked for none', 'NONE', undefined],
  ] as const)('%s', async (_what, ReturnConsumedCapacity, shown) => {
    const answers = [answerWith(capacity(1)), answerWith(capacity(2))]
    const { clock, call } = callOf(answers, { TableName: 'log', ReturnConsumedCapacity })
    await clock.run(async () => {
      await call.read(get(), VIEW, untold)
      const last = await call.write<{ $metadata: object }>(put(), VIEW, untold)
      if (last.kind !== 'answered') return expect.fail('The write is answered.')
      expect(call.summed(last.output)).toEqual({
        $metadata: { httpStatusCode: 200, attempts: 2, totalRetryDelay: 0 },
        ...(shown === undefined ? {} : { ConsumedCapacity: shown }),
      })
    })
  })

  it('is the sum of the tables of a batch', async () => {
    const answer = answerWith({
      ConsumedCapacity: [capacity(1).ConsumedCapacity, capacity(2).ConsumedCapacity],
    })
    const { clock, call } = callOf([answer], { TableName: 'log', ReturnConsumedCapacity: 'TOTAL' })
    await clock.run(async () => {
      await call.read(get(), VIEW, untold)
      expect(call.summed(answerWith() as never)).toMatchObject({ ConsumedCapacity: { CapacityUnits: 3 } })
    })
  })

  it('is missing if the service reports none', async () => {
    const { clock, call } = callOf([answerWith()], { TableName: 'log', ReturnConsumedCapacity: 'TOTAL' })
    await clock.run(async () => {
      await call.read(get(), VIEW, untold)
      expect(call.summed(answerWith() as never)).not.toHaveProperty('ConsumedCapacity')
    })
  })

  it('does not hide that a request was refused', async () => {
    const limits = { maxAttempts: 1 }
    const { clock, call } = callOf(
      [hotPartitionError()],
      { TableName: 'log', ReturnConsumedCapacity: 'TOTAL' },
      limits,
    )
    expect(await clock.run(() => call.write(put(), VIEW, untold))).toMatchObject({
      kind: 'refused',
      error: { name: 'ThrottlingException' },
    })
  })

  it('leaves the output of a single request as it is', async () => {
    const { clock, call } = callOf([answerWith({ Attributes: {} })])
    await clock.run(async () => {
      const outcome = await call.read<{ $metadata: object }>(get(), VIEW, untold)
      if (outcome.kind !== 'answered') return expect.fail('The read is answered.')
      expect(call.summed(outcome.output)).toBe(outcome.output)
    })
  })
})

describe('what a batch leaves unprocessed', () => {
  it('is waited for, and is a throttle in the end', async () => {
    const { clock, call } = callOf([], undefined, { maxAttempts: 2 })
    await clock.run(async () => {
      await call.waitForUnprocessed(3)
      expect(clock.now()).toBeGreaterThan(0)
      await expect(call.waitForUnprocessed(3)).rejects.toMatchObject({
        name: 'ProvisionedThroughputExceededException',
        message: expect.stringContaining('3 of its members'),
        $metadata: { httpStatusCode: 400 },
      })
    })
  })
})
