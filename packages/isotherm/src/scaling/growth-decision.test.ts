import { SeededRandom, type SleepOptions, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { noResponse, serviceError } from '../../test/scripted-client.js'
import { IsothermError } from '../errors/isotherm-error.js'
import type { IsothermEvent } from '../events/event.js'
import type { LogicalKey } from '../keys/key.js'
import type { PlacementKind } from '../options/sharded-table.js'
import { type Growth, type HeatTotals, NO_HEAT, type ShardMap, type ShardState } from '../protocol/index.js'
import type { FleetSigns } from '../protocol/states/fleet-signs.js'
import { resize } from '../protocol/states/random-count.js'
import { firstState } from '../protocol/states/shard-state.js'
import { GrowthDecision, type GrowthDecisionOptions } from './growth-decision.js'
import type { KeyThrottle } from './key-counts.js'
import { doubling, type ScalingEvidence } from './policy.js'
import { itemHash } from './sensing/item-hash.js'
import { ThrottledKey } from './sensing/throttled-key.js'
import { dynamicShards } from './shards.js'

const KEY = { S: 'viral' } as LogicalKey
const FIRST = firstState(1, 1_800_000_000)
/** A key that has grown from one shard to four. */
const GROWN = resize(FIRST, 4, 1_800_000_000)
const HALF_A_MINUTE = 30_000

/** What the fleet reports each second. */
interface Reported {
  readonly offered: number
  readonly throttled: number
  readonly samples: number
  /** Whether all throttled writes are of one item. */
  readonly isOfOneItem?: boolean
}

/** @returns the change of the count, how long the heat was measured, and the keys whose heat was then reset */
async function decided(...asked: Parameters<typeof decisionOn>) {
  const { change, reset } = await decisionOn(...asked)
  if (change === undefined) throw new Error('Nothing was changed.')
  return { ...change, reset }
}

/**
 * Decides on a key with one shard.
 * @param isFirst whether this process changes the count, and no other one before it
 */
async function decisionOn(placementKind: PlacementKind, reported: Reported, isFirst = false) {
  const { clock, decide, changes, reset, events } = decisionOf(placementKind, reported, { isFirst })
  await clock.run(decide)
  return { change: changes[0], reset, events }
}

/** Virtual time that knows whether a process may end while it sleeps. */
class WatchedClock extends VirtualClock {
  readonly mayEnd: (boolean | undefined)[] = []

  override sleep(milliseconds: number, signal?: AbortSignal, options?: SleepOptions): Promise<void> {
    this.mayEnd.push(options?.mayEndProcess)
    return super.sleep(milliseconds, signal)
  }
}

/** The error of the read, or of the change. */
interface Failing {
  readonly read?: Error
  readonly change?: Error
}

function decisionOf(
  placementKind: PlacementKind,
  reported: Reported,
  {
    isFirst = false,
    shards = dynamicShards(),
    failing,
    state = FIRST,
    fleet = {},
    hasTotals = true,
    stateAfter = () => state,
    own = {},
    isFollowed = true,
    hottestThrottledUnits = 1,
    scope = 'partition',
    knownForMilliseconds = 0,
    isNews = true,
  }: {
    readonly isFirst?: boolean
    readonly shards?: ReturnType<typeof dynamicShards>
    readonly failing?: Failing
    readonly state?: ShardState
    /** What the fleet has recorded besides its heat. */
    readonly fleet?: Partial<FleetSigns>
    /** Whether the item of the key has any signs of the fleet. */
    readonly hasTotals?: boolean | undefined
    /** What the shard map says once the measurement has begun. */
    readonly stateAfter?: () => ShardState | undefined
    /** The heat of the key in this process. */
    readonly own?: { readonly throttledUnits?: number; readonly trend?: number }
    /** Whether this process still follows the key. */
    readonly isFollowed?: boolean
    /** Of the key that this process finds throttled most. */
    readonly hottestThrottledUnits?: number
    readonly scope?: KeyThrottle['scope']
    /** Since when this process has known the count. */
    readonly knownForMilliseconds?: number
    /** Whether no other process has found the same before. */
    readonly isNews?: boolean
  } = {},
) {
  const clock = new WatchedClock()
  const from = clock.now()
  const heat = (): HeatTotals => {
    const seconds = (clock.now() - from) / 1_000
    return {
      offeredUnits: seconds * reported.offered,
      acceptedUnits: seconds * (reported.offered - reported.throttled),
      throttledUnits: NO_HEAT.throttledUnits.map((_units, hash) => {
        if (reported.isOfOneItem) return hash === 0 ? seconds * reported.throttled : 0
        return (seconds * reported.throttled) / (8 - (hash % 2))
      }),
      samples: Math.floor(seconds * reported.samples),
    }
  }
  const changes: { to: number; afterSeconds: number; reason: string; growth: Growth }[] = []
  const readsAfterSeconds: number[] = []
  const found: string[] = []
  const reset: LogicalKey[] = []
  const events: IsothermEvent[] = []
  const random = new SeededRandom(1)
  const shardMap: Pick<ShardMap, 'reread'> = {
    reread: async (): Promise<ShardState | undefined> => {
      readsAfterSeconds.push((clock.now() - from) / 1_000)
      if (failing?.read !== undefined) throw failing.read
      const after = stateAfter()
      if (!hasTotals) return after
      return after && { ...after, fleet: { lastBusy: 0, heat: heat(), lastGrowth: undefined, ...fleet } }
    },
  }
  const report = {
    offeredUnits: 1,
    acceptedUnits: 1,
    throttledUnits: 1,
    windowSeconds: 5,
    offeredSoFar: 1,
    acceptedSoFar: 1,
    trend: 1,
    ...own,
  }
  const options: Partial<GrowthDecisionOptions> = {
    table: 'audit_log',
    placementKind,
    shards,
    clock,
    random,
    emit: (event) => events.push(event),
    store: {
      find: async (_key, _state, diagnosis) => {
        found.push(diagnosis)
        return isNews
      },
    },
    signal: new AbortController().signal,
    heat: {
      report: () => (isFollowed ? report : undefined),
      reset: (key) => reset.push(key),
      hottestThrottledUnits: () => hottestThrottledUnits,
    },
  }
  const changer = {
    change: async (_key: unknown, _state: unknown, to: number, reason: string, growth: Growth) => {
      if (failing?.change !== undefined) throw failing.change
      changes.push({ to, afterSeconds: (clock.now() - from) / 1_000, reason, growth })
      return isFirst ? state : undefined
    },
  }
  const decision = new GrowthDecision({ ...options, shardMap, changer } as unknown as GrowthDecisionOptions)
  const throttled = new ThrottledKey(state, from - knownForMilliseconds, random, 2_000)
  const decide = () => decision.decide({ key: KEY, throttled, scope, before: { heat: NO_HEAT, at: from } })
  /** @returns the new count, if it was changed, and for how long the key is left alone now */
  const outcome = async () => {
    await clock.run(decide)
    const leftAloneFor = Math.max(0, throttled.leftAloneUntil - clock.now())
    return { to: changes[0]?.to, leftAloneFor }
  }
  return { clock, decide, outcome, throttled, changes, reset, events, readsAfterSeconds, found }
}

describe('the measurement before a growth', () => {
  const HOT = { offered: 4_000, throttled: 3_000, samples: 24 }

  it('takes a second and a half at most where the heat is plain', async () => {
    const { to, afterSeconds } = await decided('random', HOT)
    expect(to).toBe(6)
    expect(afterSeconds).toBeGreaterThanOrEqual(1)
    expect(afterSeconds).toBeLessThan(1.6)
  })

  it('takes two seconds at least for a calculated suffix, whose count nothing corrects for a while', async () => {
    const { to, afterSeconds } = await decided('calculated', HOT)
    expect(to).toBe(9)
    expect(afterSeconds).toBeGreaterThanOrEqual(2)
    expect(afterSeconds).toBeLessThan(4)
  })

  it('takes longer where few writes are throttled', async () => {
    const { afterSeconds } = await decided('random', { offered: 1_200, throttled: 60, samples: 24 })
    expect(afterSeconds).toBeGreaterThan(3.9)
    const { afterSeconds: rarely } = await decided('random', { offered: 1_200, throttled: 13, samples: 24 })
    expect(rarely).toBeGreaterThan(9.9)
    expect(rarely).toBeLessThan(20)
  })

  it('takes longer where the fleet has few samples', async () => {
    const { afterSeconds } = await decided('random', { ...HOT, samples: 3 })
    expect(afterSeconds).toBeGreaterThan(3.9)
    expect(afterSeconds).toBeLessThan(8)
  })

  const ONE_SECOND = dynamicShards({ jitter: ['1s', '1s'] })

  it('begins with a random time within the bounds of jitter', async () => {
    const { outcome, readsAfterSeconds } = decisionOf('random', HOT, {
      shards: dynamicShards({ jitter: ['3s', '4s'] }),
    })
    await outcome()
    expect(readsAfterSeconds).toHaveLength(1)
    expect(readsAfterSeconds[0]).toBeGreaterThan(3)
    expect(readsAfterSeconds[0]).toBeLessThanOrEqual(4)
  })

  it.each([
    { samples: 12, reads: [1] },
    // Twelve will be there in 0.2 seconds, but rates are measured over whole seconds.
    { samples: 10, reads: [1, 2] },
    { samples: 3, reads: [1, 2, 4] },
    { samples: 2, reads: [1, 2, 4, 6] },
  ])('reads the totals when twelve samples will be there: $samples a second', async ({ samples, reads }) => {
    const { outcome, readsAfterSeconds, changes } = decisionOf(
      'random',
      { ...HOT, samples },
      { shards: ONE_SECOND },
    )
    await outcome()
    expect(readsAfterSeconds).toEqual(reads)
    expect(changes).toHaveLength(1)
  })

  it.each([
    { what: 'few samples', reported: { ...HOT, samples: 0.1 } },
    { what: 'no report at all', reported: { offered: 0, throttled: 0, samples: 0 } },
    { what: 'no totals in the shard map', reported: HOT, hasTotals: false },
  ])('gives up after a minute with $what, and may begin again at the next throttle', async (setting) => {
    const { reported, hasTotals } = setting
    const { outcome, readsAfterSeconds } = decisionOf('random', reported, { shards: ONE_SECOND, hasTotals })
    expect(await outcome()).toEqual({ to: undefined, leftAloneFor: 0 })
    expect(readsAfterSeconds).toEqual([1, 2, 4, 8, 16, 26, 36, 46, 56, 66])
  })

  it('ends after exactly a minute', async () => {
    const { outcome, readsAfterSeconds } = decisionOf(
      'random',
      { ...HOT, samples: 0.1 },
      { shards: dynamicShards({ jitter: ['10s', '10s'] }) },
    )
    await outcome()
    expect(readsAfterSeconds).toEqual([10, 20, 30, 40, 50, 60])
  })

  it.each<readonly [string, ShardState | undefined]>([
    ['has another count', resize(FIRST, 2, 1_800_000_001)],
    ['is changing', { ...FIRST, phase: 'announced', from: 1, to: 2 }],
    ['is unknown', undefined],
  ])('is in vain, but no reason to leave the key alone, if the key then %s', async (_what, after) => {
    const { outcome } = decisionOf('random', HOT, { stateAfter: () => after })
    expect(await outcome()).toEqual({ to: undefined, leftAloneFor: 0 })
  })
})

describe('a growth', () => {
  const HOT = { offered: 4_000, throttled: 3_000, samples: 24 }

  it('makes the heat under the former count worthless', async () => {
    expect((await decided('random', HOT, true)).reset).toEqual([KEY])
  })

  it('is recorded with the rates before it, so that any process can tell later whether it helped', async () => {
    const { outcome, changes } = decisionOf('random', HOT, {
      shards: dynamicShards({ jitter: ['2s', '2s'] }),
    })
    expect(await outcome()).toEqual({ to: 6, leftAloneFor: 0 })
    expect(changes).toEqual([
      {
        to: 6,
        afterSeconds: 2,
        reason: 'hot',
        growth: {
          from: 1,
          to: 6,
          acceptedPerSecond: 1_000,
          throttledPerSecond: expect.closeTo(3_000, -3),
          inVain: 0,
        },
      },
    ])
  })

  it('that another process was first to decide leaves the heat until this process has learnt of it', async () => {
    expect((await decided('random', HOT, false)).reset).toEqual([])
  })
})

describe('a decision', () => {
  const HOT = { offered: 4_000, throttled: 3_000, samples: 24 }

  it('that throws is not made again at once, because it would throw again', async () => {
    const shards = dynamicShards({
      policy: () => {
        throw new Error('a bug')
      },
    })
    const { clock, decide, throttled } = decisionOf('random', HOT, { shards })
    await expect(clock.run(decide)).rejects.toThrow('a bug')
    expect(throttled.leftAloneUntil).toBe(clock.now() + 30_000)
  })

  const THROTTLE = serviceError('ProvisionedThroughputExceededException', { $fault: 'client' })

  it.each<readonly [string, Failing]>([
    ['a read', { read: THROTTLE }],
    ['the change', { change: THROTTLE }],
    ['the response to the change', { change: noResponse() }],
  ])('is made again after a second or two where the shard map has failed %s', async (_what, failing) => {
    const { clock, decide, throttled } = decisionOf('random', HOT, { failing })
    await expect(clock.run(decide)).rejects.toBe(failing.read ?? failing.change)
    const pause = () => throttled.leftAloneUntil - clock.now()
    expect(pause()).toBeGreaterThanOrEqual(1_000)
    expect(pause()).toBeLessThan(2_000)
    await expect(clock.run(decide)).rejects.toThrow()
    expect(pause()).toBeGreaterThanOrEqual(2_000)
  })

  it.each([
    ['a missing permission', serviceError('AccessDeniedException', { $fault: 'client' })],
    ['a key that is too long', new IsothermError('key.too-long', 'x', { table: 't', bytes: 9, maxBytes: 8 })],
  ])('is not made again at once after an error that stays: %s', async (_what, change) => {
    const { clock, decide, throttled } = decisionOf('random', HOT, { failing: { change } })
    await expect(clock.run(decide)).rejects.toBe(change)
    expect(throttled.leftAloneUntil).toBe(clock.now() + 30_000)
  })

  it('keeps no process alive that has nothing else to do', async () => {
    const { clock, decide } = decisionOf('random', { ...HOT, samples: 3 })
    await clock.run(decide)
    expect(clock.mayEnd.length).toBeGreaterThan(1)
    expect(new Set(clock.mayEnd)).toEqual(new Set([true]))
  })
})

it('a hot item gets no shards, and the event names the counter as a cure', async () => {
  const load = { offered: 4_000, throttled: 3_000, samples: 24, isOfOneItem: true }
  const { change, events } = await decisionOn('random', load)
  expect(change).toBeUndefined()
  expect(events).toEqual([
    expect.objectContaining({
      type: 'hot-item',
      logicalKey: 'viral',
      cure: expect.stringContaining('counter() of isotherm/counter'),
    }),
  ])
})

/** Rates are measured over exactly a second. */
const IN_A_SECOND = { jitter: ['1s', '1s'] } as const

describe('a throttled key gets no more shards, and is left alone for half a minute,', () => {
  const HOT = { offered: 4_000, throttled: 3_000, samples: 24 }
  const LEFT_ALONE = { to: undefined, leftAloneFor: HALF_A_MINUTE }
  /** Wants more shards, whatever the evidence is. */
  const GREEDY = dynamicShards({ policy: doubling() })

  it('if so little is throttled that retries are enough', async () => {
    const reported = { offered: 2_000, throttled: 9, samples: 24 }
    expect(await decisionOf('random', reported, { state: GROWN, shards: GREEDY }).outcome()).toEqual(
      LEFT_ALONE,
    )
  })

  it('if this process no longer follows it, because other keys are hotter', async () => {
    expect(await decisionOf('random', HOT, { isFollowed: false }).outcome()).toEqual(LEFT_ALONE)
  })

  it('if a neighbour on its partition is what is hot', async () => {
    // A quarter of a partition, spread over four shards.
    const reported = { offered: 300, throttled: 100, samples: 24 }
    const own = { throttledUnits: 24 }
    const neighbour = { state: GROWN, shards: GREEDY, own, hottestThrottledUnits: 100 }
    expect(await decisionOf('random', reported, neighbour).outcome()).toEqual(LEFT_ALONE)
    const hot = { ...neighbour, own: { throttledUnits: 25 } }
    expect((await decisionOf('random', reported, hot).outcome()).to).toBe(8)
  })

  it('if the whole fleet offers it less than a hot partition needs', async () => {
    const reported = { offered: 249, throttled: 200, samples: 24 }
    expect(await decisionOf('random', reported, { shards: GREEDY }).outcome()).toEqual(LEFT_ALONE)
  })

  it('if its policy wants none, and no event says that a maximum was reached', async () => {
    const { outcome, events, changes } = decisionOf('random', HOT, {
      state: GROWN,
      shards: dynamicShards({ policy: ({ shards }) => shards, max: 5 }),
    })
    expect(await outcome()).toEqual(LEFT_ALONE)
    expect(changes).toEqual([])
    expect(events).toEqual([])
  })

  it.each([4, 3])('if it has as many as it may have (max: %i), which an event says', async (max) => {
    const { clock, outcome, events } = decisionOf('random', HOT, {
      state: GROWN,
      shards: dynamicShards({ max }),
    })
    expect(await outcome()).toEqual(LEFT_ALONE)
    expect(events).toEqual([
      { type: 'shard-limit-reached', table: 'audit_log', logicalKey: 'viral', shards: 4, at: clock.now() },
    ])
  })
})

describe('growths in vain', () => {
  /** As much is accepted and throttled as before the last growth. */
  const reported = { offered: 4_000, throttled: 3_000, samples: 24 }
  const decisionAfter = (inVain: number, isNews = true) =>
    decisionOf('random', reported, {
      state: GROWN,
      fleet: { lastGrowth: { from: 1, to: 4, acceptedPerSecond: 1_000, throttledPerSecond: 3_000, inVain } },
      shards: dynamicShards(IN_A_SECOND),
      isNews,
    })

  it('are counted with the next growth', async () => {
    const { outcome, changes } = decisionAfter(0)
    await outcome()
    expect(changes[0]?.growth).toMatchObject({ from: 4, inVain: 1 })
  })

  it('are not repeated after the second one: the table is full, which an event says', async () => {
    const { clock, outcome, found, events } = decisionAfter(1)
    expect(await outcome()).toEqual({ to: undefined, leftAloneFor: HALF_A_MINUTE })
    expect(found).toEqual(['table_full'])
    expect(events).toEqual([
      {
        type: 'table-full',
        table: 'audit_log',
        logicalKey: 'viral',
        shards: 4,
        cure: expect.stringContaining('warm throughput'),
        at: clock.now(),
      },
    ])
  })

  it('are said once for the whole fleet, and the others leave the key alone as well', async () => {
    const { outcome, events } = decisionAfter(1, false)
    expect(await outcome()).toEqual({ to: undefined, leftAloneFor: HALF_A_MINUTE })
    expect(events).toEqual([])
  })
})

describe('throttles without a reason', () => {
  const AN_HOUR = 3_600_000
  /** Of four shards, whose partitions accept 4,000 units a second. */
  const decisionAt = (acceptedPerSecond: number, more: Parameters<typeof decisionOf>[2] = {}) =>
    decisionOf(
      'random',
      { offered: acceptedPerSecond + 2_400, throttled: 2_400, samples: 24 },
      { state: GROWN, scope: 'unknown', shards: dynamicShards(IN_A_SECOND), ...more },
    )

  it('let a key grow that has never grown', async () => {
    expect((await decisionAt(500, { state: FIRST }).outcome()).to).toBeGreaterThan(1)
  })

  it('let a key grow again whose shards accept four fifths of what their partitions take', async () => {
    expect((await decisionAt(3_200).outcome()).to).toBeGreaterThan(4)
  })

  it('let it not grow again where they accept less: the table may be what is full', async () => {
    expect(await decisionAt(3_100).outcome()).toEqual({ to: undefined, leftAloneFor: HALF_A_MINUTE })
    expect((await decisionAt(3_100, { scope: 'partition' }).outcome()).to).toBeGreaterThan(4)
  })

  it('let it grow again after an hour', async () => {
    const outcomeAfter = (milliseconds: number) =>
      // The decision takes another second.
      decisionAt(3_100, { knownForMilliseconds: milliseconds - 1_000 }).outcome()
    expect((await outcomeAfter(AN_HOUR - 1)).to).toBeUndefined()
    expect((await outcomeAfter(AN_HOUR)).to).toBeGreaterThan(4)
  })
})

describe('the policy', () => {
  const HOT = { offered: 4_000, throttled: 2_000, samples: 24 }

  it.each([
    ['random', false],
    ['calculated', true],
  ] as const)('gets the evidence of the whole fleet (suffix: %s)', async (placementKind, isCalculated) => {
    const evidence: ScalingEvidence[] = []
    const policy = (given: ScalingEvidence) => {
      evidence.push(given)
      return 7
    }
    const { outcome } = decisionOf(placementKind, HOT, {
      shards: dynamicShards({ policy, jitter: ['2s', '2s'], partitionUnitsPerSecond: 2_000 }),
      own: { trend: 1.3 },
    })
    expect((await outcome()).to).toBe(7)
    expect(evidence).toEqual([
      {
        shards: 1,
        offeredUnits: 8_000,
        acceptedUnits: 4_000,
        throttledUnits: expect.closeTo(4_000, -3),
        windowSeconds: 2,
        trend: 1.3,
        isCalculated,
        partitionUnitsPerSecond: 2_000,
      },
    ])
  })

  it.each([
    { wanted: 2.1, to: 3 },
    { wanted: 10, to: 10 },
    { wanted: 11, to: 10 },
    { wanted: Number.POSITIVE_INFINITY, to: 10 },
  ])('may return any number: $wanted with max: 10 is $to', async ({ wanted, to }) => {
    const shards = dynamicShards({ max: 10, policy: () => wanted })
    expect((await decisionOf('random', HOT, { shards }).outcome()).to).toBe(to)
  })

  it.each([
    { value: '4', text: 'returned "4";' },
    { value: Number.NaN, text: 'returned NaN;' },
    { value: undefined, text: 'returned undefined;' },
  ])('that returns no number is named with what it returned: $text', async ({ value, text }) => {
    const { clock, decide } = decisionOf('random', HOT, {
      shards: dynamicShards({ policy: () => value as number }),
    })
    await expect(clock.run(decide)).rejects.toMatchObject({
      code: 'policy.invalid',
      details: { table: 'audit_log', value },
      message: expect.stringContaining(text),
    })
  })
})

describe('a key that was hot before', () => {
  const HOT = { offered: 4_000, throttled: 3_000, samples: 24 }
  const before = { shards: 9, at: 1_800_000_000 }

  it('gets the count of its last peak in one step, within the present maximum', async () => {
    const remembered = { fleet: { lastPeak: before } }
    expect((await decisionOf('random', HOT, remembered).outcome()).to).toBe(9)
    const limited = { ...remembered, shards: dynamicShards({ max: 8 }) }
    expect((await decisionOf('random', HOT, limited).outcome()).to).toBe(8)
  })

  it('gets half of it after a week, and no fewer than its load needs', async () => {
    const aged = { fleet: { lastPeak: { shards: 16, at: before.at - 7 * 86_400 } } }
    expect((await decisionOf('random', HOT, aged).outcome()).to).toBe(8)
    const small = { fleet: { lastPeak: { shards: 2, at: before.at } } }
    expect((await decisionOf('random', HOT, small).outcome()).to).toBe(6)
  })
})

describe('a hot item', () => {
  const reported = { offered: 4_000, throttled: 3_000, samples: 24, isOfOneItem: true }

  it('is named by its sort key, and its key is left alone', async () => {
    const { outcome, throttled, events, found } = decisionOf('random', reported)
    const [item] = Array.from({ length: 100 }, (_, at) => ({ S: `item ${at}` })).filter(
      (each) => itemHash(each) === 0,
    )
    throttled.throttled({ units: 1, item, unitsPerSample: 1 }, { offeredSoFar: 1, acceptedSoFar: 0 }, 0)
    expect(await outcome()).toEqual({ to: undefined, leftAloneFor: HALF_A_MINUTE })
    expect(found).toEqual(['hot_item'])
    expect(events).toEqual([expect.objectContaining({ type: 'hot-item', sortKey: item, shards: 1 })])
  })

  it('that another process has found is not said again', async () => {
    const { outcome, events } = decisionOf('random', reported, { isNews: false })
    expect(await outcome()).toEqual({ to: undefined, leftAloneFor: HALF_A_MINUTE })
    expect(events).toEqual([])
  })
})
