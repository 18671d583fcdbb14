import { SeededRandom, type SleepOptions, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { noResponse, serviceError } from '../../test/scripted-client.js'
import { IsothermError } from '../errors/isotherm-error.js'
import type { IsothermEvent } from '../events/event.js'
import type { LogicalKey } from '../keys/key.js'
import type { PlacementKind } from '../options/sharded-table.js'
import { type HeatTotals, NO_HEAT, type ShardMap, type ShardState } from '../protocol/index.js'
import { firstState } from '../protocol/states/shard-state.js'
import { GrowthDecision, type GrowthDecisionOptions } from './growth-decision.js'
import { ThrottledKey } from './sensing/throttled-key.js'
import { dynamicShards } from './shards.js'

const KEY = { S: 'viral' } as LogicalKey

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
  }: {
    readonly isFirst?: boolean
    readonly shards?: ReturnType<typeof dynamicShards>
    readonly failing?: Failing
  } = {},
) {
  const clock = new WatchedClock()
  const state = firstState(1, 1_800_000_000)
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
  const changes: { to: number; afterSeconds: number }[] = []
  const reset: LogicalKey[] = []
  const events: IsothermEvent[] = []
  const random = new SeededRandom(1)
  const shardMap: Pick<ShardMap, 'reread'> = {
    reread: async (): Promise<ShardState> => {
      if (failing?.read !== undefined) throw failing.read
      return { ...state, fleet: { lastBusy: 0, heat: heat(), lastGrowth: undefined } }
    },
  }
  const own = {
    offeredUnits: 1,
    acceptedUnits: 1,
    throttledUnits: 1,
    windowSeconds: 5,
    offeredSoFar: 1,
    acceptedSoFar: 1,
    trend: 1,
  }
  const options: Partial<GrowthDecisionOptions> = {
    table: 'audit_log',
    placementKind,
    shards,
    clock,
    random,
    emit: (event) => events.push(event),
    store: { find: async () => true },
    signal: new AbortController().signal,
    heat: { report: () => own, reset: (key) => reset.push(key), hottestThrottledUnits: () => 1 },
  }
  const changer = {
    change: async (_key: unknown, _state: unknown, to: number) => {
      if (failing?.change !== undefined) throw failing.change
      changes.push({ to, afterSeconds: (clock.now() - from) / 1_000 })
      return isFirst ? state : undefined
    },
  }
  const decision = new GrowthDecision({ ...options, shardMap, changer } as unknown as GrowthDecisionOptions)
  const throttled = new ThrottledKey(state, from, random, 2_000)
  const decide = () =>
    decision.decide({ key: KEY, throttled, scope: 'partition', before: { heat: NO_HEAT, at: from } })
  return { clock, decide, throttled, changes, reset, events }
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
})

describe('a growth', () => {
  const HOT = { offered: 4_000, throttled: 3_000, samples: 24 }

  it('makes the heat under the former count worthless', async () => {
    expect((await decided('random', HOT, true)).reset).toEqual([KEY])
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
