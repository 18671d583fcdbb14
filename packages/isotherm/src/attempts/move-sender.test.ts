import { DeleteItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type Answer, answerWith, ScriptedClient, serviceError } from '../../test/scripted-client.js'
import { hotPartitionError } from '../../test/throttling.js'
import { MoveSender } from './move-sender.js'
import type { Pace } from './pace.js'
import { pagesOf } from './pages-of.js'

/** Records the units of requests. */
class RecordedPace implements Pace {
  readonly taken: number[] = []
  readonly spentUnits: number[] = []
  readonly signals: (AbortSignal | undefined)[] = []
  throttles = 0

  async take(units: number, signal?: AbortSignal): Promise<void> {
    this.taken.push(units)
    this.signals.push(signal)
  }

  spent(units: number): void {
    this.spentUnits.push(units)
  }

  throttled(): void {
    this.throttles += 1
  }
}

function senderOf(
  answers: readonly Answer[],
  { maxAttempts = 5, signal }: { maxAttempts?: number; signal?: AbortSignal } = {},
) {
  const clock = new VirtualClock(0)
  const scripted = new ScriptedClient(...answers)
  const pace = new RecordedPace()
  const table = { client: scripted.client, clock, random: new SeededRandom(1) }
  return { clock, scripted, pace, table, sender: new MoveSender(table, { maxAttempts, pace, signal }) }
}

const deletion = () => new DeleteItemCommand({ TableName: 'log', Key: { pk: { S: 'k' } } })
const cancelled = (...codes: readonly string[]) =>
  serviceError('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) })

describe('a request of a move', () => {
  it('takes its units before each attempt, and again after a throttle', async () => {
    const { clock, sender, pace } = senderOf([hotPartitionError(), answerWith()])
    expect(await clock.run(() => sender.send(deletion(), 3))).toMatchObject({ kind: 'answered' })
    expect(pace.taken).toEqual([3, 3])
    expect(pace.throttles).toBe(1)
  })

  it.each([
    ['a conflict', serviceError('TransactionConflictException'), 0],
    ['a conflict in a transaction', cancelled('None', 'TransactionConflict'), 0],
    ['a throttle in a transaction', cancelled('ThrottlingError', 'TransactionConflict'), 1],
    ['a throttle of a provisioned table', cancelled('ProvisionedThroughputExceeded'), 1],
  ])('is sent again after %s', async (_what, error, throttles) => {
    const { clock, sender, pace } = senderOf([error, answerWith()])
    expect(await clock.run(() => sender.send(deletion(), 1))).toMatchObject({ kind: 'answered' })
    expect(pace.throttles).toBe(throttles)
  })

  it.each([
    ['its condition has failed', serviceError('ConditionalCheckFailedException')],
    ['a condition of its transaction has failed', cancelled('ConditionalCheckFailed', 'TransactionConflict')],
    ['its transaction is not valid', cancelled('ValidationError')],
    ['the service says that it is wrong', serviceError('ValidationException')],
  ])('fails at once if %s', async (_what, error) => {
    const { clock, sender, scripted } = senderOf([error])
    expect(await clock.run(() => sender.send(deletion(), 1))).toMatchObject({ kind: 'failed', error })
    expect(scripted.attempts).toBe(1)
  })

  it('is refused after its last attempt, and takes no units then', async () => {
    const { clock, sender, scripted, pace } = senderOf([hotPartitionError()], { maxAttempts: 3 })
    const outcome = await clock.run(() => sender.send(deletion(), 1))
    expect(outcome).toMatchObject({ kind: 'refused', error: { name: 'ThrottlingException' } })
    expect(scripted.attempts).toBe(3)
    expect(pace.taken).toHaveLength(3)
  })

  it.each([
    ['a conflict', serviceError('TransactionConflictException')],
    ['a conflict in a transaction', cancelled('None', 'TransactionConflict')],
  ])('is refused with the error of its last attempt: %s', async (_what, error) => {
    const { clock, sender } = senderOf([error], { maxAttempts: 2 })
    expect(await clock.run(() => sender.send(deletion(), 1))).toEqual({ kind: 'refused', error })
  })

  it('needs no pace', async () => {
    const { clock, table, scripted } = senderOf([hotPartitionError(), answerWith({ ScannedCount: 100 })])
    const sender = new MoveSender(table, { maxAttempts: 5, pace: undefined, signal: undefined })
    await clock.run(async () => {
      expect(await sender.queryPage({ TableName: 'log' })).toMatchObject({ ScannedCount: 100 })
    })
    expect(scripted.attempts).toBe(2)
  })

  it('is not sent from the end of its view on', async () => {
    const { clock, sender, scripted } = senderOf([answerWith()])
    expect(await clock.run(() => sender.send(deletion(), 1, 0))).toEqual({ kind: 'stale' })
    expect(scripted.attempts).toBe(0)
  })

  it('is not sent when its work has been stopped', async () => {
    const stopped = new AbortController()
    const { clock, sender, scripted } = senderOf([answerWith()], { signal: stopped.signal })
    stopped.abort(new Error('enough'))
    expect(await clock.run(() => sender.send(deletion(), 1))).toMatchObject({
      kind: 'failed',
      error: { name: 'AbortError', cause: { message: 'enough' } },
    })
    expect(scripted.attempts).toBe(0)
  })

  it('ends without an answer, if it has no deadline of its own', async () => {
    const clock = new VirtualClock(0)
    const client = Object.create(new ScriptedClient().client, {
      send: { value: () => new Promise(() => {}) },
    })
    const options = { maxAttempts: 5, pace: undefined, signal: undefined }
    const sender = new MoveSender({ client, clock, random: new SeededRandom(1) }, options)
    expect(await clock.run(() => sender.send(deletion(), 1))).toMatchObject({
      kind: 'failed',
      error: { name: 'TimeoutError' },
    })
    expect(clock.now()).toBe(10_000)
  })

  it('may take longer if it has a deadline of its own', async () => {
    const { clock, scripted, sender } = senderOf([answerWith()])
    scripted.onAttempt = () => clock.sleep(12_000)
    const outcome = await clock.run(() => sender.send(deletion(), 1, 60_000))
    expect(outcome).toMatchObject({ kind: 'answered' })
  })

  it('has no time from which it is given up, besides its attempts', async () => {
    const { clock, sender } = senderOf([...Array(99).fill(hotPartitionError()), answerWith()], {
      maxAttempts: 100,
    })
    expect(await clock.run(() => sender.send(deletion(), 1))).toMatchObject({ kind: 'answered' })
  })

  it('throws its error where only its output is asked for', async () => {
    const { clock, sender } = senderOf([serviceError('ValidationException')])
    await clock.run(() =>
      expect(sender.answer(deletion(), 1)).rejects.toMatchObject({ name: 'ValidationException' }),
    )
  })
})

describe('between its requests, a move', () => {
  it('waits for its turn, which costs nothing', async () => {
    const { clock, sender, pace, table } = senderOf([])
    await clock.run(() => sender.turn())
    expect(pace.taken).toEqual([0])
    await new MoveSender(table, { maxAttempts: 5, pace: undefined, signal: undefined }).turn()
  })

  it('pauses, until its work is stopped', async () => {
    const work = new AbortController()
    const { clock, sender } = senderOf([], { signal: work.signal })
    await clock.run(() => sender.pause(300))
    expect(clock.now()).toBe(300)
    await clock.run(async () => {
      const pause = sender.pause(60_000)
      work.abort(new Error('enough'))
      await expect(pause).rejects.toThrow('enough')
    })
    expect(clock.now()).toBe(300)
  })

  it('listens at a signal of its own, which aborts with that of the application', async () => {
    const work = new AbortController()
    const { clock, sender, pace } = senderOf([], { signal: work.signal })
    await clock.run(() => sender.turn())
    const [signal] = pace.signals
    expect(signal).toBeDefined()
    expect(signal).not.toBe(work.signal)
    work.abort()
    expect(signal?.aborted).toBe(true)
  })
})

describe('a page that a move reads', () => {
  const query = { TableName: 'log', KeyConditionExpression: 'pk = :k' }

  it.each([
    ['what the service reports', { ConsumedCapacity: { CapacityUnits: 12 }, ScannedCount: 100 }, [11.5]],
    ['a quarter of a unit for each item', { ScannedCount: 100 }, [24.5]],
    ['a full page at most', { ScannedCount: 10_000 }, [255.5]],
    ['nothing more', {}, []],
    ['nothing more', { ConsumedCapacity: { CapacityUnits: 0.5 } }, []],
  ])('costs half a unit, and then %s', async (_what, page, spent) => {
    const { clock, sender, pace, scripted } = senderOf([answerWith(page)])
    expect(await clock.run(() => sender.queryPage(query))).toMatchObject(page)
    expect(pace.taken).toEqual([0.5])
    expect(pace.spentUnits).toEqual(spent)
    expect(scripted.requests[0]?.input).toEqual({ ...query, ReturnConsumedCapacity: 'TOTAL' })
  })

  it('of a table begins where the one before has ended, until there is no more', async () => {
    const LastEvaluatedKey = { pk: { S: 'k' } }
    const { clock, sender, scripted } = senderOf([answerWith({ LastEvaluatedKey }), answerWith({ Count: 1 })])
    const pages = await clock.run(async () => {
      const read: object[] = []
      for await (const page of pagesOf(sender, undefined, { TableName: 'log' })) read.push(page)
      return read
    })
    expect(pages).toHaveLength(2)
    expect(scripted.requests.map(({ input }) => input.ExclusiveStartKey)).toEqual([
      undefined,
      LastEvaluatedKey,
    ])
    expect(scripted.requests[0]?.input.ReturnConsumedCapacity).toBe('TOTAL')
  })

  it('of a table may begin in the middle', async () => {
    const ExclusiveStartKey = { pk: { S: 'k' } }
    const { clock, sender, scripted } = senderOf([answerWith()])
    await clock.run(() => pagesOf(sender, undefined, { TableName: 'log', ExclusiveStartKey }).next())
    expect(scripted.requests[0]?.input.ExclusiveStartKey).toEqual(ExclusiveStartKey)
  })

  it('is not read once the work was aborted', async () => {
    const { clock, sender, scripted } = senderOf([answerWith({ LastEvaluatedKey: { pk: { S: 'k' } } })])
    const work = new AbortController()
    await clock.run(async () => {
      const pages = pagesOf(sender, work.signal, { TableName: 'log' })
      await pages.next()
      work.abort(new Error('enough'))
      await expect(pages.next()).rejects.toThrow('enough')
    })
    expect(scripted.attempts).toBe(1)
  })
})
