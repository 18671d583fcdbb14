import { GetItemCommand } from '@aws-sdk/client-dynamodb'
import { type Clock, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { isPassing } from '../sdk/passing-error.js'
import type { PhysicalClient, SendOptions } from '../sdk/physical-client.js'
import { boundedClient } from './bounded-client.js'

const read = new GetItemCommand({ TableName: 'map', Key: { pk: { S: 'k' } } })
const ANSWER = { $metadata: {} }

/** A service that answers after a time, or never, and does not listen to the signal of a request. */
function setUp(milliseconds: number, clock: VirtualClock = new VirtualClock(0), own: Clock = clock) {
  const sent: SendOptions[] = []
  const send = async (_command: unknown, options: SendOptions) => {
    sent.push(options)
    if (milliseconds === Number.POSITIVE_INFINITY) return new Promise(() => {})
    await clock.sleep(milliseconds)
    return ANSWER
  }
  const client = boundedClient({ send } as unknown as PhysicalClient, own)
  const answered = (options?: SendOptions) =>
    client.send(read, options as never).catch((error: unknown) => error)
  return { clock, sent, answered }
}

describe('a request that is bounded in time', () => {
  it('has the answer of one that is not', async () => {
    const { clock, answered, sent } = setUp(9_900)
    expect(await clock.run(answered)).toBe(ANSWER)
    expect(sent[0]?.abortSignal?.aborted).toBe(false)
  })

  it('is aborted after ten seconds, with an error that passes', async () => {
    const { clock, answered, sent } = setUp(Number.POSITIVE_INFINITY)
    const error = await clock.run(answered)
    expect(error).toMatchObject({
      name: 'TimeoutError',
      message: expect.stringMatching(/ 10 s, .* may have been carried out/),
    })
    expect(isPassing(error)).toBe(true)
    expect(clock.now()).toBe(10_000)
    expect(sent[0]?.abortSignal?.aborted).toBe(true)
  })

  it('has the answer that comes just after the process was suspended, however long', async () => {
    const { clock, answered } = setUp(3_600_500)
    const result = clock.run(answered)
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(3_600_000)
    expect(await result).toBe(ANSWER)
  })

  it('still ends with the signal of its caller', async () => {
    const { clock, answered, sent } = setUp(Number.POSITIVE_INFINITY)
    const caller = new AbortController()
    const error = await clock.run(async () => {
      const result = answered({ abortSignal: caller.signal })
      await clock.sleep(100)
      caller.abort()
      return result
    })
    expect(error).toMatchObject({ name: 'AbortError' })
    expect(clock.now()).toBe(100)
    expect(sent[0]?.abortSignal?.aborted).toBe(true)
  })

  it('keeps no process alive, and leaves no timer behind', async () => {
    const clock = new VirtualClock(0)
    const sleeps: { readonly signal: AbortSignal | undefined; readonly mayEnd: boolean | undefined }[] = []
    const watched: Clock = {
      now: () => clock.now(),
      sleep: (milliseconds, signal, options) => {
        sleeps.push({ signal, mayEnd: options?.mayEndProcess })
        return clock.sleep(milliseconds, signal)
      },
    }
    const { answered } = setUp(100, clock, watched)
    await clock.run(answered)
    expect(sleeps.map(({ signal, mayEnd }) => [signal?.aborted, mayEnd])).toEqual([[true, true]])
  })

  it('has no bound where the clock cannot sleep', async () => {
    const clock = new VirtualClock(0)
    const broken: Clock = { now: () => 0, sleep: () => Promise.reject(new Error('no timers')) }
    const { answered } = setUp(60_000, clock, broken)
    expect(await clock.run(answered)).toBe(ANSWER)
  })
})
