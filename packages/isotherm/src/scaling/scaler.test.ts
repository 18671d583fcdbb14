import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { noResponse, serviceError } from '../../test/scripted-client.js'
import type { LogicalKey } from '../keys/key.js'
import { type HeatTotals, NO_HEAT, type ShardState } from '../protocol/index.js'
import { resize } from '../protocol/states/random-count.js'
import { firstState } from '../protocol/states/shard-state.js'
import type { KeyThrottle } from './key-counts.js'
import { Scaler, type ScalerOptions } from './scaler.js'
import type { HeatReport } from './sensing/key-heat.js'
import { dynamicShards } from './shards.js'

const KEY = { S: 'viral' } as LogicalKey
const THROTTLE: KeyThrottle = { units: 1, attempt: 1, item: undefined, scope: 'partition' } as KeyThrottle
const FIRST = firstState(1, 1_800_000_000)

/** A scaler whose process uses a state of the shard map, and the keys whose heat it has reset. */
function setUp(
  state: ShardState | undefined,
  {
    shards = dynamicShards(),
    cacheMilliseconds = 30_000,
    random = new SeededRandom(1),
    own = {},
    isFollowed = true,
  }: {
    readonly shards?: ReturnType<typeof dynamicShards>
    readonly cacheMilliseconds?: number
    readonly random?: Pick<SeededRandom, 'next'>
    /** The heat of the key in this process. */
    readonly own?: Partial<HeatReport>
    /** Whether this process still follows the key. */
    readonly isFollowed?: boolean
  } = {},
) {
  const clock = new VirtualClock()
  const reset: LogicalKey[] = []
  const reported: number[] = []
  const totals: HeatTotals[] = []
  const refreshed: { readonly at: number; readonly olderThan: number }[] = []
  const decided: Parameters<ScalerOptions['decision']['decide']>[0][] = []
  const used = {
    state,
    since: clock.now() as number | undefined,
    /** What the shard map answers to a report. */
    answer: undefined as ShardState | undefined,
    /** Whether the view is old enough for a refresh. */
    isOld: false,
    /** How long a decision, or a report, takes. */
    milliseconds: { decision: 0, report: 0 },
  }
  const failures: Error[] = []
  const failed: unknown[] = []
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
    shards,
    cacheMilliseconds,
    decision: {
      decide: async (asked) => {
        decided.push(asked)
        if (used.milliseconds.decision > 0) await clock.sleep(used.milliseconds.decision)
      },
    },
    heat: {
      report: () => (isFollowed ? { ...report, ...own } : undefined),
      reset: (key) => reset.push(key),
      hottestThrottledUnits: () => 50,
    },
    clock,
    random: random as SeededRandom,
    signal: new AbortController().signal,
    onFailed: (error) => failed.push(error),
  }
  const shardMap = {
    peek: () => used.state,
    countSince: () => used.since,
    report: async (_key: LogicalKey, _state: ShardState, heat: HeatTotals) => {
      reported.push(clock.now())
      totals.push(heat)
      if (used.milliseconds.report > 0) await clock.sleep(used.milliseconds.report)
      const [failure] = failures.splice(0, 1)
      if (failure === undefined) return used.answer
      throw failure
    },
    refreshIfOlder: (_key: LogicalKey, olderThan: number) => {
      if (used.isOld) refreshed.push({ at: clock.now(), olderThan })
      return used.isOld
    },
  }
  const scaler = new Scaler({ ...options, shardMap } as unknown as ScalerOptions)
  /** So many writes are throttled for the first time, all at once. */
  const throttle = (times = 1, more: Partial<KeyThrottle> = {}) => {
    for (let time = 0; time < times; time++) scaler.consider(KEY, { ...THROTTLE, ...more })
  }
  return { clock, reset, reported, totals, refreshed, decided, used, failures, failed, scaler, throttle }
}

/** As many throttled writes as make a sample due, whatever chance says. */
const MANY = 1_000

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
  function secondsUntilReport(
    knownForSeconds: number,
    hasKnownOther = true,
    changedAgoMilliseconds = CHANGED_AGO_MILLISECONDS,
  ): number {
    const { clock, reported, used, scaler } = setUp(hasKnownOther ? FIRST : GROWN)
    if (hasKnownOther) scaler.consider(KEY, { ...THROTTLE, attempt: 2 })
    used.state = GROWN
    clock.advance(changedAgoMilliseconds)
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

  it('are no evidence in a process that has begun just after the change', () => {
    // The change was at second 10.
    expect(secondsUntilReport(0, false, 12_000)).toBe(4)
  })
})

describe('a report that fails', () => {
  async function secondsUntilNextReport(failure: Error): Promise<number> {
    const { clock, reported, failures, failed, scaler } = setUp(FIRST)
    failures.push(failure)
    await clock.run(async () => {
      while (reported.length < 2) {
        for (let each = 0; each < 1_000; each++) scaler.consider(KEY, THROTTLE)
        await clock.sleep(100)
      }
    })
    expect(failed).toEqual([failure])
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

describe('a throttle', () => {
  it('is no evidence while the count of the key, or its heat, is unknown', () => {
    const unread = setUp(undefined)
    unread.throttle(MANY)
    const unfollowed = setUp(FIRST, { isFollowed: false })
    unfollowed.throttle(MANY)
    expect([...unread.reported, ...unfollowed.reported]).toEqual([])
  })

  it('is evidence once for each write, although retries are throttled, too', async () => {
    const { reported, throttle } = setUp(FIRST)
    throttle(MANY, { attempt: 2 })
    expect(reported).toEqual([])
    throttle(MANY)
    expect(reported).toHaveLength(1)
  })

  it('is no evidence while the count of the key is changing', () => {
    const { reported, throttle } = setUp({ ...FIRST, phase: 'announced', from: 1, to: 4 })
    throttle(MANY)
    expect(reported).toEqual([])
  })

  it('while the last change settles is not counted, but what is offered and accepted from then on is', () => {
    const own = { offeredSoFar: 1_000, acceptedSoFar: 980 }
    const { clock, totals, used, throttle } = setUp(FIRST, { own, random: { next: () => 0.99 } })
    throttle(1, { attempt: 2 })
    used.state = resize(FIRST, 4, 1_800_000_000)
    used.since = clock.now()
    throttle(MANY)
    clock.advance(6_000)
    own.offeredSoFar += 60
    own.acceptedSoFar += 40
    expect(totals).toEqual([])
    throttle(1, { units: 20 })
    const [{ offeredUnits, acceptedUnits, throttledUnits } = NO_HEAT] = totals
    const units = throttledUnits.reduce((sum, each) => sum + each)
    expect(units).toBeGreaterThan(0)
    expect([offeredUnits, acceptedUnits]).toEqual([expect.closeTo(3 * units), expect.closeTo(2 * units)])
  })
})

describe('the cooldown of a count', () => {
  const CHANGED_AT = 1_800_000_000

  /** Throttles a key of four shards each second, at a time after its change. @returns the second of the first report */
  function firstReport(cooldown: '0s' | '30s', knownAfterSeconds: number | undefined): number | undefined {
    const { clock, reported, used, throttle } = setUp(FIRST, { shards: dynamicShards({ cooldown }) })
    throttle(1, { attempt: 2 })
    used.state = resize(FIRST, 4, CHANGED_AT + 1)
    const changedAt = 1_000 * (CHANGED_AT + 1)
    clock.advance(changedAt - clock.now() + 1_000 * (knownAfterSeconds ?? 2))
    used.since = knownAfterSeconds === undefined ? undefined : clock.now()
    for (let second = 0; second < 60; second++) {
      throttle(MANY)
      if (reported[0] !== undefined) return (reported[0] - changedAt) / 1_000
      clock.advance(1_000)
    }
    return undefined
  }

  it('begins with the change, and not with the time when this process has learnt of it', () => {
    expect(firstReport('30s', 4)).toBe(30)
    expect(firstReport('30s', 28)).toBe(34)
    expect(firstReport('0s', 4)).toBe(10)
  })

  it('begins with the first throttle where nobody knows when this process learnt of the change', () => {
    expect(firstReport('0s', undefined)).toBe(8)
  })
})

describe('reports of a throttled key', () => {
  it('are sent once a sample is due', async () => {
    const { reported, throttle } = setUp(FIRST, { random: { next: () => 0 } })
    // A sample is some eighty units here.
    throttle(50)
    expect(reported).toEqual([])
    throttle(50)
    expect(reported).toHaveLength(1)
  })

  it('are a tenth of a second apart', async () => {
    const { clock, reported, throttle } = setUp(FIRST)
    const from = clock.now()
    await clock.run(async () => {
      for (let millisecond = 0; millisecond < 250; millisecond++) {
        throttle(MANY)
        await clock.sleep(1)
      }
    })
    expect(reported.map((at) => at - from)).toEqual([0, 100, 200])
  })

  it('are sent one after the other', async () => {
    const { clock, reported, used, throttle } = setUp(FIRST)
    used.milliseconds.report = 450
    const from = clock.now()
    await clock.run(async () => {
      for (let time = 0; time < 10; time++) {
        throttle(MANY)
        await clock.sleep(100)
      }
    })
    expect(reported.map((at) => at - from)).toEqual([0, 500])
  })

  it('pause for no longer after a failure, if another one was carried out in between', async () => {
    const { clock, reported, failures, throttle } = setUp(FIRST, { random: { next: () => 0.5 } })
    const from = clock.now()
    const failing = () => serviceError('ProvisionedThroughputExceededException', { $fault: 'client' })
    failures.push(failing(), failing())
    await clock.run(async () => {
      while (reported.length < 4) {
        if (reported.length === 3) failures.push(failing())
        throttle(MANY)
        await clock.sleep(100)
      }
      while (reported.length < 5) {
        throttle(MANY)
        await clock.sleep(100)
      }
    })
    // A second and a half, three seconds, and a second and a half again.
    expect(reported.map((at) => at - from)).toEqual([0, 1_600, 4_700, 4_800, 6_400])
  })
})

describe('a decision on a throttled key', () => {
  const HEAT = { ...NO_HEAT, offeredUnits: 7, samples: 1 }
  const withHeat = (state: ShardState): ShardState => ({
    ...state,
    fleet: { lastBusy: 0, heat: HEAT, lastGrowth: undefined },
  })
  const settled = () => new Promise((resolve) => setImmediate(resolve))

  it('begins with the heat that the fleet has reported until then', async () => {
    const { clock, used, decided, throttle } = setUp(FIRST)
    used.answer = withHeat(FIRST)
    throttle(MANY, { scope: 'unknown' })
    await settled()
    expect(decided).toEqual([
      expect.objectContaining({ key: KEY, scope: 'unknown', before: { heat: HEAT, at: clock.now() } }),
    ])
  })

  it('begins without any heat where the item has none', async () => {
    const { used, decided, failed, throttle } = setUp(FIRST)
    used.answer = FIRST
    throttle(MANY)
    await settled()
    expect(failed).toEqual([])
    expect(decided.map(({ before }) => before.heat)).toEqual([NO_HEAT])
  })

  it.each([
    ['has another count by now', withHeat(resize(FIRST, 2, 1_800_000_001))],
    ['has no item', undefined],
  ])('is not begun if the key %s', async (_what, answer) => {
    const { used, decided, failed, throttle } = setUp(FIRST)
    used.answer = answer
    throttle(MANY)
    await settled()
    expect([...decided, ...failed]).toEqual([])
  })

  it('is not begun while the key is left alone', async () => {
    const { clock, used, decided, throttle } = setUp(FIRST)
    used.answer = withHeat(FIRST)
    throttle(MANY)
    await settled()
    const [{ throttled } = { throttled: expect.fail('It was not begun.') }] = decided
    throttled.leftAloneUntil = clock.now() + 1_000
    clock.advance(999)
    throttle(MANY)
    await settled()
    expect(decided).toHaveLength(1)
    clock.advance(1)
    // Reports are a tenth of a second apart.
    throttled.reportedAt = 0
    throttle(MANY)
    await settled()
    expect(decided).toHaveLength(2)
  })

  it('is made by a process once at a time', async () => {
    const { clock, used, decided, throttle } = setUp(FIRST)
    used.answer = withHeat(FIRST)
    used.milliseconds.decision = 350
    const times: number[] = []
    const from = clock.now()
    await clock.run(async () => {
      for (let time = 0; time < 8; time++) {
        throttle(MANY)
        await clock.sleep(100)
        while (times.length < decided.length) times.push(decided[times.length]?.before.at ?? Number.NaN)
      }
    })
    expect(times.map((at) => at - from)).toEqual([0, 400])
  })
})

describe('a throttled process reads the shard map again', () => {
  /** Throttles a key ten times a second. */
  async function refreshes(seconds: number, options: Parameters<typeof setUp>[1] = {}) {
    const { clock, refreshed, used, throttle } = setUp(FIRST, { random: { next: () => 0 }, ...options })
    used.isOld = true
    const from = clock.now()
    await clock.run(async () => {
      for (let time = 0; time < 10 * seconds; time++) {
        throttle(1, { attempt: 2 })
        await clock.sleep(100)
      }
    })
    return refreshed.map(({ at, olderThan }) => [(at - from) / 1_000, olderThan / 1_000])
  }

  it('four times every two seconds, and less often each time, down to half of the lifetime of a view', async () => {
    expect(await refreshes(80)).toEqual([
      [0, 2],
      [2, 2],
      [4, 2],
      [6, 2],
      [10, 4],
      [18, 8],
      [33, 15],
      [48, 15],
      [63, 15],
      [78, 15],
    ])
  })

  it('in half of the lifetime of a view, if that is shorter', async () => {
    expect(await refreshes(4, { cacheMilliseconds: 2_000 })).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 1],
    ])
  })

  it('not while its view is younger than that', async () => {
    const { clock, refreshed, used, throttle } = setUp(FIRST, { random: { next: () => 0 } })
    throttle()
    expect(refreshed).toEqual([])
    used.isOld = true
    clock.advance(1)
    throttle()
    expect(refreshed).toHaveLength(1)
  })

  it.each([
    { chance: 0.99, units: 1, times: 1 },
    // Samples are of eighty units or so, and twelve a second are reported.
    { chance: 0.9, units: 0.01, times: 0 },
  ])(
    'by a chance that makes a thousand reads of the fleet a second ($units units a write)',
    async ({ chance, units, times }) => {
      const { refreshed, used, throttle } = setUp(FIRST, { random: { next: () => chance } })
      used.isOld = true
      throttle(1, { units, attempt: 2 })
      expect(refreshed).toHaveLength(times)
    },
  )
})
