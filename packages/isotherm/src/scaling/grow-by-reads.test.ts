import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import type { LogicalKey } from '../keys/key.js'
import { type HeatTotals, NO_HEAT, type ShardState } from '../protocol/index.js'
import { resize } from '../protocol/states/random-count.js'
import { firstState } from '../protocol/states/shard-state.js'
import { growByReads } from './grow-by-reads.js'
import type { KeyReadThrottle } from './key-counts.js'
import type { ScalingEvidence, ScalingPolicy } from './policy.js'
import { KeyHeat } from './sensing/key-heat.js'
import { dynamicShards } from './shards.js'

const K = { S: 'k' } as LogicalKey
const FIRST = firstState(1, 1_800_000_000)

/** A table whose partitions take a third as many write units as read units. */
function growerOf({
  isKnown = true,
  state = FIRST,
  policy = ({ shards }) => shards,
  ensure = async () => FIRST,
}: {
  /** Whether this process knows a count of the key. */
  readonly isKnown?: boolean
  readonly state?: ShardState
  readonly policy?: ScalingPolicy
  readonly ensure?: (key: LogicalKey) => Promise<ShardState>
} = {}) {
  const clock = new VirtualClock()
  const heat = new KeyHeat(clock)
  const known = { heat: undefined as KeyHeat | undefined }
  const reported: HeatTotals[] = []
  const changes: number[] = []
  const failures: unknown[] = []
  const withTotals = (): ShardState => {
    const sum = (of: (totals: HeatTotals) => number) => reported.reduce((total, each) => total + of(each), 0)
    const totals = {
      offeredUnits: sum(({ offeredUnits }) => offeredUnits),
      acceptedUnits: sum(({ acceptedUnits }) => acceptedUnits),
      throttledUnits: NO_HEAT.throttledUnits.map((_units, hash) =>
        sum(({ throttledUnits }) => throttledUnits[hash] ?? 0),
      ),
      samples: sum(({ samples }) => samples),
    }
    return { ...state, fleet: { lastBusy: 0, heat: totals, lastGrowth: undefined } }
  }
  const opening = {
    table: 'log',
    placementKind: 'calculated',
    shards: dynamicShards({ policy }),
    shardMap: {
      peek: () => (isKnown ? state : undefined),
      countSince: () => clock.now(),
      refreshIfOlder: () => false,
      ensure,
      report: async (_key: LogicalKey, _state: ShardState, totals: HeatTotals) => {
        const before = withTotals()
        reported.push(totals)
        return reported.length === 1 ? { ...before, fleet: { ...before.fleet, heat: NO_HEAT } } : before
      },
      reread: async () => withTotals(),
    },
    changer: {
      change: async (_key: LogicalKey, seen: ShardState, to: number) => {
        changes.push(to)
        return seen
      },
    },
    store: {},
    clock,
    random: new SeededRandom(1),
    emit: () => {},
    signal: new AbortController().signal,
    onFailed: (error: unknown) => failures.push(error),
    cacheMilliseconds: 30_000,
    reads: () => known.heat,
  }
  const grower = growByReads().open(opening as never)
  const throttled = (more: Partial<KeyReadThrottle> = {}, key = K) =>
    grower.throttled(key, {
      scope: 'partition',
      units: 30,
      attempt: 1,
      item: undefined,
      mostFactor: Number.POSITIVE_INFINITY,
      ...more,
    })
  /** So many reads of 30 units a second, and as many that are throttled. From then on the process has read the table. */
  const hotFor = async (seconds: number, more: Partial<KeyReadThrottle> = {}, perSecond = 100) => {
    known.heat = heat
    for (let read = 0; read < perSecond * seconds; read++) {
      heat.offered(K, 60)
      heat.accepted(K, 30)
      heat.throttled(K, 30)
      throttled(more)
      await clock.sleep(1_000 / perSecond)
    }
  }
  return { clock, grower, known, heat, throttled, hotFor, reported, changes, failures }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('throttled reads of a key', () => {
  it('are reported in the write units that use the same share of a partition', async () => {
    const { clock, hotFor, reported } = growerOf()
    await clock.run(() => hotFor(10))
    const units = reported.flatMap(({ throttledUnits }) => throttledUnits).reduce((sum, each) => sum + each)
    // 3,000 read units a second are 1,000 write units.
    expect(units).toBeGreaterThan(9_000)
    expect(units).toBeLessThan(11_000)
  })

  it.each([
    { mostFactor: Number.POSITIVE_INFINITY, to: 9 },
    { mostFactor: 2.5, to: 3 },
  ])('get no more shards than make them cheaper ($mostFactor times as many)', async ({ mostFactor, to }) => {
    const { clock, hotFor, changes } = growerOf({ policy: () => 9 })
    await clock.run(() => hotFor(4, { mostFactor }))
    expect(changes[0]).toBe(to)
  })

  it('are decided on by the demand of the fleet in write units, and forgotten with a change', async () => {
    const evidence: ScalingEvidence[] = []
    const { clock, hotFor, changes, heat } = growerOf({
      policy: (given) => {
        evidence.push(given)
        return changes.length === 0 ? 2 : given.shards
      },
    })
    await clock.run(() => hotFor(4))
    expect(changes).toEqual([2])
    const [{ offeredUnits = 0, windowSeconds = 1, partitionUnitsPerSecond } = {}] = evidence
    expect(offeredUnits / windowSeconds).toBeGreaterThan(1_600)
    expect(offeredUnits / windowSeconds).toBeLessThan(2_400)
    expect(partitionUnitsPerSecond).toBe(1_000)
    // Four seconds would be 24,000 read units.
    expect(heat.report(K)?.offeredUnits).toBeLessThan(16_000)
  })

  it.each([
    { times: 3, changed: [8] },
    { times: 5, changed: [] },
  ])(
    'are not why a partition is hot, if a neighbour is throttled $times times as much',
    async ({ times, changed }) => {
      const { clock, hotFor, heat, changes } = growerOf({
        state: resize(firstState(1, 1_799_999_000), 4, 1_799_999_500),
        policy: ({ shards }) => 2 * shards,
      })
      const neighbour = { S: 'neighbour' } as LogicalKey
      await clock.run(async () => {
        // An eighth of what its partitions take.
        for (let second = 0; second < 40; second++) {
          heat.offered(neighbour, times * 25 * 30)
          heat.throttled(neighbour, times * 25 * 30)
          await hotFor(1, {}, 25)
        }
      })
      expect(changes.slice(0, 1)).toEqual(changed)
    },
  )

  it('are no evidence until the process has read the table', async () => {
    const { clock, throttled, reported } = growerOf()
    await clock.run(async () => {
      for (let read = 0; read < 500; read++) {
        throttled()
        await clock.sleep(10)
      }
    })
    expect(reported).toEqual([])
  })
})

describe('a throttled read of a key without a known count', () => {
  const key = (at: number) => ({ S: `k${at}` }) as LogicalKey

  it('adds the key to the shard map, once at a time', async () => {
    const added: LogicalKey[] = []
    const { throttled, reported } = growerOf({
      isKnown: false,
      ensure: async (each) => {
        added.push(each)
        return FIRST
      },
    })
    throttled()
    throttled()
    expect(added).toEqual([K])
    await settled()
    throttled()
    expect(added).toEqual([K, K])
    expect(reported).toEqual([])
  })

  it('waits for its next throttle, while 16 others are added', async () => {
    const added: LogicalKey[] = []
    const { throttled } = growerOf({
      isKnown: false,
      ensure: (each) => {
        added.push(each)
        return new Promise(() => {})
      },
    })
    for (let at = 0; at < 20; at++) throttled({}, key(at))
    expect(added).toEqual(Array.from({ length: 16 }, (_, at) => key(at)))
  })

  it('reports an error of the shard map, and fails no read', async () => {
    const denied = new Error('denied')
    const { throttled, failures } = growerOf({ isKnown: false, ensure: () => Promise.reject(denied) })
    throttled()
    await settled()
    expect(failures).toEqual([denied])
  })

  it('adds nothing for a key that the shard map has', async () => {
    const { throttled, failures } = growerOf({ ensure: () => expect.fail('It is there.') })
    throttled()
    await settled()
    expect(failures).toEqual([])
  })
})

describe('the traffic of a key', () => {
  const writesOf = (offeredUnits: number | undefined) => ({
    report: () =>
      offeredUnits === undefined ? undefined : ({ offeredUnits, windowSeconds: 5, trend: 1 } as never),
  })

  it('is the sum of its writes and reads, in write units', () => {
    const { grower, known, heat } = growerOf()
    known.heat = heat
    heat.offered(K, 300)
    expect(grower.heatWith(writesOf(7)).report(K)).toMatchObject({ offeredUnits: 107, windowSeconds: 5 })
  })

  it('is that of its reads if it is not written, and that of its writes if it is not read', () => {
    const { grower, known, heat } = growerOf()
    expect(grower.heatWith(writesOf(7)).report(K)).toMatchObject({ offeredUnits: 7 })
    expect(grower.heatWith(writesOf(undefined)).report(K)).toBeUndefined()
    known.heat = heat
    expect(grower.heatWith(writesOf(7)).report(K)).toMatchObject({ offeredUnits: 7 })
    heat.offered(K, 300)
    expect(grower.heatWith(writesOf(undefined)).report(K)).toMatchObject({
      offeredUnits: 100,
      windowSeconds: 5,
    })
  })
})

describe('growByReads', () => {
  it('takes 3,000 read units a second for the limit of a partition, or those of another engine', () => {
    expect(growByReads().partitionUnitsPerSecond).toBe(3_000)
    expect(growByReads({ partitionUnitsPerSecond: 600 }).partitionUnitsPerSecond).toBe(600)
  })

  it('is an option of dynamicShards', () => {
    const reads = growByReads()
    expect(dynamicShards({ reads }).reads).toBe(reads)
  })

  it('names the option that it does not know, or cannot use', () => {
    const refused = (options: object) => () => growByReads(options as never)
    expect(refused({ units: 5 })).toThrow(
      expect.objectContaining({
        code: 'options.unknown',
        message: expect.stringContaining('growByReads.units'),
        details: expect.objectContaining({ known: ['partitionUnitsPerSecond'] }),
      }),
    )
    expect(refused({ partitionUnitsPerSecond: 0 })).toThrow(
      expect.objectContaining({
        code: 'options.invalid',
        details: { option: 'growByReads.partitionUnitsPerSecond', value: 0 },
      }),
    )
  })
})
