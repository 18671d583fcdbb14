import { getEventListeners } from 'node:events'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import {
  type Answer,
  answerWith,
  noResponse,
  ScriptedClient,
  serviceError,
} from '../../test/scripted-client.js'
import { hotPartitionError } from '../../test/throttling.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import { AttemptBudget } from './attempt-budget.js'
import type { ShardRequest } from './attempt-guard.js'
import { type Course, type Refusal, sendUntilAnswered, type UnshardedRequest } from './attempt-loop.js'

const put = () => new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' } } })

/** A client whose retries have waited before each answer and each error, as the SDK records it. */
function retryingClient({ client }: ScriptedClient, totalRetryDelay: number): PhysicalClient {
  const counted = <Result extends object>(result: Result) =>
    Object.assign(result, { $metadata: { attempts: 2, totalRetryDelay } })
  const send = (command: never) =>
    client.send(command).then(counted, (error: Error) => Promise.reject(counted(error)))
  return { ...client, send } as PhysicalClient
}

/** Sends a put until it is answered. */
async function sent(
  answers: readonly Answer[],
  {
    maxAttempts = 10,
    isGuarded = true,
    validUntil = Number.POSITIVE_INFINITY,
    refusalOf,
    onThrottle,
    isNewEachTime = false,
    waitsOfSdk = 0,
  }: {
    maxAttempts?: number
    isGuarded?: boolean
    validUntil?: number
    refusalOf?: (error: unknown) => Refusal | undefined
    onThrottle?: Course['onThrottle']
    isNewEachTime?: boolean
    waitsOfSdk?: number
  } = {},
) {
  const clock = new VirtualClock(0)
  const limits = { clock, random: { next: () => 1 }, options: { maxAttempts, retryMilliseconds: 60_000 } }
  const budget = new AttemptBudget(limits, undefined)
  const scripted = new ScriptedClient(...answers)
  const request = (): ShardRequest | UnshardedRequest =>
    isGuarded ? { command: put(), clock, validUntil, log: budget } : { command: put() }
  const first = request()
  const next = () => (isNewEachTime ? request() : first)
  const course: Course = {
    budget,
    next,
    ...(refusalOf === undefined ? {} : { refusalOf }),
    onThrottle,
  }
  const client = waitsOfSdk === 0 ? scripted.client : retryingClient(scripted, waitsOfSdk)
  const outcome = await clock.run(() => sendUntilAnswered(client, undefined, course))
  return { outcome, scripted, budget, elapsed: clock.now() }
}

describe('a request', () => {
  it('is answered by its first attempt', async () => {
    const { outcome, budget, scripted } = await sent([answerWith({ Attributes: {} }, 2)])
    expect(outcome).toEqual({
      kind: 'answered',
      output: { Attributes: {}, $metadata: { httpStatusCode: 200, attempts: 2 } },
    })
    expect(budget.metadata.attempts).toBe(2)
    // Options let the SDK build a handler for this very command.
    expect(scripted.requests[0]?.options).toEqual({})
  })

  it('is not sent with a signal that was aborted before, whether it is the first attempt or a later one', async () => {
    for (const throttles of [0, 1]) {
      const clock = new VirtualClock(0)
      const controller = new AbortController()
      const { signal } = controller
      const limits = {
        clock,
        random: { next: () => 1 },
        options: { maxAttempts: 10, retryMilliseconds: 60_000 },
      }
      const scripted = new ScriptedClient(hotPartitionError(), answerWith())
      const abort = async () => controller.abort(new Error('enough'))
      if (throttles === 0) await abort()
      const outcome = await sendUntilAnswered(
        scripted.client,
        { abortSignal: signal },
        {
          budget: new AttemptBudget(limits, undefined),
          next: () => ({ command: put(), clock, validUntil: Number.POSITIVE_INFINITY }),
          beforeNext: () => abort().then(() => undefined),
        },
      )
      expect(outcome).toMatchObject({ kind: 'failed', error: { name: 'AbortError', cause: signal.reason } })
      expect(scripted.requests).toHaveLength(throttles)
    }
  })

  it('may be answered by a mock, without metadata', async () => {
    const { outcome, budget } = await sent([{ Attributes: {} }])
    expect(outcome).toEqual({ kind: 'answered', output: { Attributes: {}, $metadata: {} } })
    expect(budget.metadata.attempts).toBe(1)
  })

  it('is sent again while it is throttled, and its attempts are counted', async () => {
    const { outcome, budget, scripted, elapsed } = await sent([
      hotPartitionError(),
      hotPartitionError(),
      answerWith(),
    ])
    expect(outcome.kind).toBe('answered')
    expect(scripted.attempts).toBe(3)
    expect(budget.metadata.total()).toMatchObject({ attempts: 3, totalRetryDelay: 75 })
    expect(elapsed).toBe(75)
  })

  it('counts the attempts and the waits of the SDK, also before an attempt that is throttled', async () => {
    const answers = [hotPartitionError(), hotPartitionError(), answerWith()]
    const { budget, elapsed } = await sent(answers, { waitsOfSdk: 40 })
    expect(budget.metadata.total()).toEqual({ attempts: 6, totalRetryDelay: 3 * 40 + elapsed })
  })

  it('tells the reasons of each throttle', async () => {
    const seen: unknown[] = []
    const onThrottle: Course['onThrottle'] = async (reasons, attempt) => {
      seen.push([...reasons, attempt])
      return undefined
    }
    await sent([hotPartitionError(), hotPartitionError(), answerWith()], { onThrottle })
    expect(seen).toEqual([
      ['TableWriteKeyRangeThroughputExceeded', 1],
      ['TableWriteKeyRangeThroughputExceeded', 2],
    ])
  })

  it('is refused with the throttle of its last attempt', async () => {
    const { outcome, scripted } = await sent([hotPartitionError()], { maxAttempts: 3 })
    expect(outcome).toMatchObject({
      kind: 'refused',
      error: { name: 'ThrottlingException', $metadata: { attempts: 3 } },
    })
    expect(scripted.attempts).toBe(3)
  })

  it('fails at once with any other error', async () => {
    const { outcome, scripted } = await sent([serviceError('ValidationException'), answerWith()])
    expect(outcome).toMatchObject({ kind: 'failed', error: { name: 'ValidationException' } })
    expect(scripted.attempts).toBe(1)
  })

  it('fails with an error that comes after a throttle', async () => {
    const { outcome } = await sent([hotPartitionError(), serviceError('ValidationException')])
    expect(outcome).toMatchObject({ kind: 'failed', error: { name: 'ValidationException' } })
  })

  it('is sent again after an error that its course takes for a refusal', async () => {
    const refusalOf = (error: unknown) => ({ error: error as Error })
    const { outcome, scripted } = await sent([serviceError('Conflict'), answerWith()], { refusalOf })
    expect(outcome.kind).toBe('answered')
    expect(scripted.attempts).toBe(2)
  })

  it('to unsharded tables leaves throttles to the SDK', async () => {
    const { outcome } = await sent([hotPartitionError()], { isGuarded: false })
    expect(outcome).toMatchObject({ kind: 'failed', error: { name: 'ThrottlingException' } })
  })

  it('to unsharded tables may be another one for each attempt', async () => {
    const refusalOf = (error: unknown) => ({ error: error as Error })
    const { outcome, scripted } = await sent([serviceError('Conflict'), answerWith()], {
      isGuarded: false,
      isNewEachTime: true,
      refusalOf,
    })
    expect(outcome.kind).toBe('answered')
    expect(new Set(scripted.requests.map(({ command }) => command)).size).toBe(2)
  })

  it('may be another one for each attempt, which is guarded, too', async () => {
    const { outcome, scripted } = await sent([hotPartitionError(), hotPartitionError(), answerWith()], {
      isNewEachTime: true,
    })
    expect(outcome.kind).toBe('answered')
    expect(new Set(scripted.requests.map(({ command }) => command)).size).toBe(3)
  })

  it('fails if middleware of the application does not fit into the stack', async () => {
    const scripted = new ScriptedClient(answerWith())
    const client = {
      ...scripted.client,
      send: () => {
        throw new Error('no such step')
      },
    }
    const clock = new VirtualClock(0)
    const limits = {
      clock,
      random: { next: () => 1 },
      options: { maxAttempts: 10, retryMilliseconds: 60_000 },
    }
    const budget = new AttemptBudget(limits, undefined)
    const outcome = await sendUntilAnswered(client as never, undefined, {
      budget,
      next: () => ({ command: put() }),
    })
    expect(outcome).toMatchObject({ kind: 'failed', error: { message: 'no such step' } })
  })
})

/** How many signals depend on this one. Node keeps them under a symbol of its own. */
function dependants(signal: AbortSignal): number {
  const symbol = Object.getOwnPropertySymbols(signal).find(
    ({ description }) => description === 'kDependantSignals',
  )
  return symbol === undefined ? 0 : (Reflect.get(signal, symbol) as Set<unknown>).size
}

describe('a signal of the application', () => {
  it('keeps nothing of the requests that were sent with it', async () => {
    const { signal } = new AbortController()
    const clock = new VirtualClock(0)
    const limits = {
      clock,
      random: { next: () => 1 },
      options: { maxAttempts: 3, retryMilliseconds: 60_000 },
    }
    await clock.run(async () => {
      for (let number = 0; number < 100; number++) {
        const budget = new AttemptBudget(limits, signal)
        const scripted = new ScriptedClient(number % 2 === 0 ? answerWith() : serviceError('Denied'))
        const request = { command: put(), clock, validUntil: 60_000, lateMilliseconds: 5_000, log: budget }
        await sendUntilAnswered(scripted.client, { abortSignal: signal }, { budget, next: () => request })
      }
    })
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    expect(dependants(signal)).toBe(0)
  })
})

describe('a request on a view', () => {
  it('is not sent from the end of the view on, and not counted', async () => {
    const { outcome, scripted, budget } = await sent([answerWith()], { validUntil: 0 })
    expect(outcome).toEqual({ kind: 'stale' })
    expect(scripted.attempts).toBe(0)
    expect(budget.metadata.attempts).toBe(0)
  })

  it('is sent until the end of the view', async () => {
    expect((await sent([answerWith()], { validUntil: 1 })).outcome.kind).toBe('answered')
  })

  it('is not sent again after waits that outlast the view', async () => {
    const { outcome, scripted, budget } = await sent([hotPartitionError()], { validUntil: 60 })
    expect(outcome).toEqual({ kind: 'stale' })
    expect(scripted.attempts).toBe(2)
    expect(budget.metadata.attempts).toBe(2)
  })
})

describe('an attempt without a response', () => {
  it.each([
    ['of the network', noResponse()],
    ['of the server', serviceError('InternalServerError', { $metadata: { httpStatusCode: 500 } })],
  ])('is kept, because it may have been carried out: %s', async (_what, error) => {
    const { outcome, budget } = await sent([error])
    expect(outcome).toMatchObject({ kind: 'failed', error })
    expect(budget.unanswered).toBe(error)
  })

  it.each([400, 499])('is not one that was refused with status %i', async (httpStatusCode) => {
    const { budget } = await sent([serviceError('ValidationException', { $metadata: { httpStatusCode } })])
    expect(budget.unanswered).toBeUndefined()
  })

  it('is not one that was throttled', async () => {
    expect((await sent([hotPartitionError()], { maxAttempts: 1 })).budget.unanswered).toBeUndefined()
  })
})
