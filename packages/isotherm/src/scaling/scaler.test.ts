import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { noResponse, serviceError } from '../../test/scripted-client.js'
import type { LogicalKey } from '../keys/key.js'
import type { ShardState } from '../protocol/index.js'
import { resize } from '../protocol/states/random-count.js'
import { firstState } from '../protocol/states/shard-state.js'
import type { KeyThrottle } from './key-counts.js'
import { Scaler, type ScalerOptions } from './scaler.js'
import { dynamicShards } from './shards.js'

const KEY = { S: 'viral' } as LogicalKey
const THROTTLE: KeyThrottle = { units: 1, attempt: 1, item: undefined, scope: 'partition' } as KeyThrottle
const FIRST = firstState(1, 1_800_000_000)

/** A scaler whose process uses a state of the shard map, and the keys whose heat it has reset. */
function setUp(state: ShardState) {
  const clock = new VirtualClock()
  const reset: LogicalKey[] = []
  const reported: number[] = []
  const used = { state, since: clock.now() }
  const failures: Error[] = []
  const expected = new Set<unknown>()
  const report = {
    offeredUnits: 100,
    acceptedUnits: 50,
    throttledUnits: 50,
    windowSeconds: 5,
    offeredSoFar: 100,
    acceptedSoFar: 50,
    trend: 1,
  }
  const options: Partial<ScalerOptions> = {
    shards: dynamicShards(),
    cacheMilliseconds: 30_000,
    decision: { decide: async () => {} },
    heat: { report: () => report, reset: (key) => reset.push(key), hottestThrottledUnits: () => 50 },
    clock,
    random: new SeededRandom(1),
    signal: new AbortController().signal,
    onFailed: (error) => expected.has(error) || expect.fail(String(error)),
  }
  const shardMap = {
    peek: () => used.state,
    countSince: () => used.since,
    report: async () => {
      reported.push(clock.now())
      const [failure] = failures.splice(0, 1)
      if (failure === undefined) return
      expected.add(failure)
      throw failure
    },
    refreshIfOlder: () => false,
  }
  const scaler = new Scaler({ ...options, shardMap } as unknown as ScalerOptions)
  return { clock, reset, reported, used, failures, scaler }
}

describe('the heat of a throttled key', () => {
  it('is reset at the first throttle under another count, and at no other', () => {
    const { clock, reset, used, scaler } = setUp(FIRST)
    const throttle = () => {
      clock.advance(1_000)
      scaler.consider(KEY, THROTTLE)
    }
    throttle()
    throttle()
    expect(reset).toEqual([])
    used.state = resize(FIRST, 4, 1_800_000_010)
    throttle()
    expect(reset).toEqual([KEY])
    throttle()
    expect(reset).toEqual([KEY])
  })
})

describe('throttles after a change of the count', () => {
  const GROWN = resize(FIRST, 4, 1_800_000_010)
  const CHANGED_AGO_MILLISECONDS = 100_000

  /** Of a process that was throttled under the count before, or has begun after the change. */
  function secondsUntilReport(knownForSeconds: number, hasKnownOther = true): number {
    const { clock, reported, used, scaler } = setUp(hasKnownOther ? FIRST : GROWN)
    if (hasKnownOther) scaler.consider(KEY, { ...THROTTLE, attempt: 2 })
    used.state = GROWN
    clock.advance(CHANGED_AGO_MILLISECONDS)
    used.since = clock.now() - 1_000 * knownForSeconds
    const from = clock.now()
    while (reported.length === 0) {
      for (let each = 0; each < 1_000; each++) scaler.consider(KEY, THROTTLE)
      clock.advance(1_000)
    }
    return ((reported[0] ?? Number.NaN) - from) / 1_000
  }

  it('are no evidence until this process has known the count for six seconds', () => {
    expect(secondsUntilReport(0)).toBe(6)
    expect(secondsUntilReport(4)).toBe(2)
  })

  it('are evidence at once for a process that has known the count for long, although it was not throttled', () => {
    expect(secondsUntilReport(60)).toBe(0)
  })

  it('are evidence at once for a process that has begun long after the change', () => {
    expect(secondsUntilReport(0, false)).toBe(0)
  })
})

describe('a report that fails', () => {
  async function secondsUntilNextReport(failure: Error): Promise<number> {
    const { clock, reported, failures, scaler } = setUp(FIRST)
    failures.push(failure)
    await clock.run(async () => {
      while (reported.length < 2) {
        for (let each = 0; each < 1_000; each++) scaler.consider(KEY, THROTTLE)
        await clock.sleep(100)
      }
    })
    const [first = Number.NaN, second = Number.NaN] = reported
    return (second - first) / 1_000
  }

  it.each([
    ['was throttled', serviceError('ProvisionedThroughputExceededException', { $fault: 'client' })],
    ['had no response', noResponse()],
  ])('is followed by another one after a second or two if it %s', async (_what, failure) => {
    const seconds = await secondsUntilNextReport(failure)
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThan(2.3)
  })

  it('is followed by another one after ten seconds if it would fail again', async () => {
    const denied = serviceError('AccessDeniedException', { $fault: 'client' })
    expect(await secondsUntilNextReport(denied)).toBeGreaterThanOrEqual(10)
  })
})
