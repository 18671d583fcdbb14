import { PutItemCommand, type PutItemCommandOutput } from '@aws-sdk/client-dynamodb'
import { type Clock, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it, vi } from 'vitest'
import { WatchedClock } from '../../test/watched-clock.js'
import { attemptDeadline } from './attempt-deadline.js'
import { sendUntilAnswered } from './attempt-loop.js'
import { SummedMetadata } from './summed-metadata.js'

/** The handler of a client: it never answers, and ends when it is aborted, as the SDK's own does. */
function silentHandler(signals: AbortSignal[]) {
  return (_request: unknown, { abortSignal }: { readonly abortSignal?: AbortSignal }) =>
    new Promise((_, reject) => {
      if (abortSignal === undefined) return
      signals.push(abortSignal)
      const abort = () => reject(Object.assign(new Error('Request aborted'), { name: 'AbortError' }))
      if (abortSignal.aborted) abort()
      else abortSignal.addEventListener('abort', abort, { once: true })
    })
}

/** Sends a put whose view ends after ten seconds. @returns what came of it, and the milliseconds that it took */
async function sent({
  maxAttempts,
  lateMilliseconds,
  abortAfter,
}: {
  readonly maxAttempts: number
  readonly lateMilliseconds: number
  readonly abortAfter?: number
}) {
  const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb')
  const clock = new VirtualClock()
  const signals: AbortSignal[] = []
  const client = new DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts,
    requestHandler: { handle: silentHandler(signals) } as never,
  })
  const log: { unanswered: unknown } = { unanswered: undefined }
  const caller = new AbortController()
  const from = clock.now()
  const sending = sendUntilAnswered<PutItemCommandOutput>(
    client,
    abortAfter === undefined ? {} : { abortSignal: caller.signal },
    {
      budget: { metadata: new SummedMetadata(), refused: async ({ error }) => error },
      next: () => ({
        command: new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' } } }),
        clock,
        validUntil: from + 10_000,
        lateMilliseconds,
        log,
      }),
    },
  )
  let elapsed = 0
  sending.then(() => {
    elapsed = clock.now() - from
  })
  // The SDK signs with real promises, so virtual time must wait for the request.
  while (signals.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await clock.run(() => clock.sleep(abortAfter ?? 60_000))
  if (abortAfter !== undefined) caller.abort()
  return { outcome: await sending, elapsed: () => elapsed, log, attempts: signals.length }
}

describe('a write without a response', () => {
  it('ends half of lateRequests after the end of its view, and is an attempt that may have been carried out', async () => {
    const { outcome, elapsed, log } = await sent({ maxAttempts: 1, lateMilliseconds: 5_000 })
    expect(outcome).toMatchObject({ kind: 'failed', error: { name: 'TimeoutError' } })
    expect(log.unanswered).toMatchObject({
      name: 'TimeoutError',
      message: expect.stringMatching(/half of lateRequests.* may have been carried out/),
    })
    expect(elapsed()).toBeGreaterThanOrEqual(12_500)
    expect(elapsed()).toBeLessThanOrEqual(13_000)
  })

  it('is not sent again on the same view, even by an SDK that has attempts left', async () => {
    const { outcome, log, attempts } = await sent({ maxAttempts: 3, lateMilliseconds: 5_000 })
    expect(outcome.kind).toBe('stale')
    expect(log.unanswered).toMatchObject({ name: 'TimeoutError' })
    expect(attempts).toBe(1)
  })

  it('ends with the error of the SDK if the application aborts it', async () => {
    const { outcome } = await sent({ maxAttempts: 3, lateMilliseconds: 5_000, abortAfter: 3_000 })
    expect(outcome).toMatchObject({ kind: 'failed', error: { name: 'AbortError' } })
  })
})

describe('the deadline of attempts', () => {
  it('is one for all views that end at about the same time, with one timer that lets the process end', async () => {
    const clock = new WatchedClock(0)
    const deadline = attemptDeadline(clock, 10_000, 5_000)
    for (const validUntil of [9_600, 9_999, 10_000]) {
      expect(attemptDeadline(clock, validUntil, 5_000)).toBe(deadline)
    }
    const later = attemptDeadline(clock, 10_001, 5_000)
    expect(later).not.toBe(deadline)
    await clock.run(() => clock.sleep(13_001))
    expect([deadline.aborted, later.aborted]).toEqual([true, true])
    const looks = clock.sleeps.filter(({ milliseconds }) => milliseconds !== 13_001)
    expect(looks.map(({ milliseconds }) => milliseconds)).toEqual([...Array(12).fill(1_000), 500, 500])
    expect(looks.every(({ mayEndProcess }) => mayEndProcess)).toBe(true)
  })

  it('is found to be over a fifth of lateRequests after a suspension that has stopped the timers', async () => {
    const running = new VirtualClock(0)
    let suspended = 0
    const clock: Clock = {
      now: () => running.now() + suspended,
      sleep: (milliseconds, signal) => running.sleep(milliseconds, signal),
    }
    const deadline = attemptDeadline(clock, 10_000, 5_000)
    await running.run(async () => {
      await clock.sleep(2_100)
      suspended = 3_600_000
      await clock.sleep(1_000)
      expect(deadline.aborted).toBe(true)
    })
  })

  it('is in time for a table beside another one whose requests may be late for longer', async () => {
    const clock = new VirtualClock(0)
    attemptDeadline(clock, 10_000, 300_000)
    await clock.run(async () => {
      await clock.sleep(100)
      const deadline = attemptDeadline(clock, 100, 5_000)
      await clock.sleep(3_100)
      expect(deadline.aborted).toBe(true)
    })
  })

  it('is set again after the clock could not sleep', async () => {
    let now = 0
    const sleep = vi.fn(async (milliseconds: number) => {
      now += milliseconds
    })
    sleep.mockRejectedValueOnce(new Error('no timers'))
    const clock = { now: () => now, sleep }
    const never = attemptDeadline(clock, 10_000, 5_000)
    await new Promise((resolve) => setImmediate(resolve))
    const deadline = attemptDeadline(clock, 10_000, 5_000)
    await new Promise((resolve) => setImmediate(resolve))
    expect([never.aborted, deadline.aborted]).toEqual([false, true])
  })
})
