import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { type Answer, answerWith, ScriptedClient, serviceError } from '../../test/scripted-client.js'
import { hotPartitionError } from '../../test/throttling.js'
import { WatchedClock } from '../../test/watched-clock.js'
import { AttemptBudget } from './attempt-budget.js'
import { sendUntilAnswered } from './attempt-loop.js'

/** The SDK's own options. A client reads those that it knows. */
interface Options {
  readonly abortSignal?: AbortSignal
  readonly requestTimeout?: number
}

/** A put with these options, on a view that ends after ten seconds. */
function putWith(
  answers: readonly Answer[],
  {
    options,
    validUntil = 10_000,
    lateMilliseconds = 5_000,
    during = () => {},
  }: {
    readonly options?: Options
    readonly validUntil?: number
    readonly lateMilliseconds?: number | undefined
    readonly during?: (clock: WatchedClock) => unknown
  } = {},
) {
  const clock = new WatchedClock(0)
  const limits = {
    clock,
    random: { next: () => 1 },
    options: { maxAttempts: 10, retryMilliseconds: 60_000 },
  }
  const budget = new AttemptBudget(limits, options?.abortSignal)
  const scripted = new ScriptedClient(...answers)
  /** The signals that the SDK's retries see, and those that its request handler sees later. */
  const signals: {
    readonly ofRetries: (AbortSignal | undefined)[]
    readonly ofHandler: typeof signals.ofRetries
  } = { ofRetries: [], ofHandler: [] }
  scripted.onAttempt = (request) => {
    signals.ofHandler.push(request.options?.abortSignal)
    return during(clock)
  }
  const client = {
    ...scripted.client,
    send: (command: never, given: Options) => {
      signals.ofRetries.push(given.abortSignal)
      return scripted.client.send(command, given)
    },
  }
  const command = new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' } } })
  const request = { command, clock, validUntil, lateMilliseconds, log: budget }
  const sent = () =>
    clock.run(() => sendUntilAnswered(client as never, options, { budget, next: () => request }))
  return { clock, scripted, signals, sent }
}

describe('a write on a view', () => {
  it('has the options of the application', async () => {
    const { scripted, sent } = putWith([answerWith()], { options: { requestTimeout: 7 } })
    await sent()
    expect(scripted.requests[0]?.options).toMatchObject({ requestTimeout: 7 })
  })

  it('has a deadline while it is under way, which the retries of the SDK do not see', async () => {
    const { signals, sent } = putWith([hotPartitionError(), answerWith()])
    await sent()
    expect(signals.ofRetries).toEqual([undefined, undefined])
    expect(signals.ofHandler).toEqual([expect.any(AbortSignal), expect.any(AbortSignal)])
  })

  it('has the signal of the application and the deadline in one, which the retries of the SDK do not see', async () => {
    const { signal } = new AbortController()
    const { signals, sent } = putWith([hotPartitionError(), answerWith()], {
      options: { abortSignal: signal },
    })
    await sent()
    expect(signals.ofRetries.map((each) => each === signal)).toEqual([true, true])
    expect(signals.ofHandler.map((each) => each === signal)).toEqual([false, false])
  })

  it('had no response at its deadline, although the application could still abort it', async () => {
    const { signal } = new AbortController()
    const { sent } = putWith([serviceError('AbortError')], {
      options: { abortSignal: signal },
      during: (clock) => clock.sleep(20_000),
    })
    expect(await sent()).toMatchObject({ kind: 'failed', error: { name: 'TimeoutError' } })
  })

  it('is aborted by the application even if its deadline has come as well', async () => {
    const caller = new AbortController()
    const error = serviceError('AbortError')
    const { sent } = putWith([error], {
      options: { abortSignal: caller.signal },
      during: (clock) => clock.sleep(20_000).then(() => caller.abort()),
    })
    expect(await sent()).toMatchObject({ kind: 'failed', error })
  })

  it('fails as the client aborts it, before its deadline', async () => {
    const error = serviceError('AbortError')
    const { sent } = putWith([error])
    expect(await sent()).toMatchObject({ kind: 'failed', error })
  })
})

describe('a request without a deadline', () => {
  it.each([
    ['may come at any time', { lateMilliseconds: 0 }],
    ['is of a table with a fixed count, whose views do not end', { validUntil: Number.POSITIVE_INFINITY }],
  ])('%s', async (_what, times) => {
    const { clock, signals, sent } = putWith([answerWith()], times)
    expect(await sent()).toMatchObject({ kind: 'answered' })
    expect(signals.ofHandler).toEqual([undefined])
    expect(clock.sleeps).toEqual([])
  })
})
