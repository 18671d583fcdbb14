import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import type { LogicalKey } from '../keys/key.js'
import { atRest, type FleetUpdate, NO_HEAT, type ShardState } from '../protocol/index.js'
import { QuietWatch } from './quiet-watch.js'
import type { ScalingOptions } from './scaling-options.js'
import { FanOutReads } from './sensing/fan-out-reads.js'

const K = { S: 'k' } as LogicalKey
const SHARDS = 8
const SECOND = 1_000
const QUIET = 600 * SECOND
/** The key was last busy at this time. */
const BUSY = 1_800_000_000

interface Setting {
  /** How long no process has found the key busy, in milliseconds. */
  readonly silence?: number
  /** What this process writes, as a share of the rate below which a key is quiet. */
  readonly busy?: number
  readonly chance?: number
  readonly shrink?: ScalingOptions['shrink']
  /** What this process has read for each shard since it looked last. */
  readonly unitsForEachShard?: number
  /** What the fleet has reported. */
  readonly reported?: number
  readonly state?: Partial<ShardState>
  readonly removes?: boolean
}

/** What a process does that reads the state of a key in use. */
async function noticed({
  silence = QUIET,
  busy,
  chance = 0.999,
  shrink = 'when-it-pays',
  unitsForEachShard = 0,
  reported,
  state = {},
  removes = true,
}: Setting): Promise<readonly unknown[]> {
  const clock = new VirtualClock(BUSY * SECOND + silence)
  const reads = new FanOutReads()
  for (let read = 0; read < unitsForEachShard; read++) reads.asked(K, true)
  const done: unknown[] = []
  const watch = new QuietWatch({
    shards: { initial: 1, partitionUnitsPerSecond: 1_000, shrink } as ScalingOptions,
    quietMilliseconds: QUIET,
    readMilliseconds: 6 * SECOND,
    store: {
      tellBusy: async () => {
        done.push('votes busy')
      },
      sign: async (_key: LogicalKey, update: FleetUpdate) => {
        const { ':units': units, ':now': now } = update.values
        done.push(['reports', units?.N, ...(now === undefined ? [] : [Number(now.N) - BUSY])])
        return true
      },
    } as never,
    heat: {
      // An eighth of the limit of eight shards is that of one.
      report: () =>
        busy === undefined ? undefined : ({ offeredUnits: busy * 5_000, windowSeconds: 5 } as never),
    },
    reads,
    clock,
    random: { next: () => chance } as never,
    signal: new AbortController().signal,
    onQuiet: removes
      ? async () => {
          done.push('shrinks')
        }
      : undefined,
    onFailed: (error) => done.push(error),
  })
  const quietReads =
    reported === undefined ? {} : { quietReads: { units: reported, since: BUSY + 1, weighed: 0 } }
  const fleet = { heat: NO_HEAT, lastGrowth: undefined, lastBusy: BUSY, ...quietReads }
  const history = [`${BUSY - 100}:${SHARDS}`]
  const settled = atRest({ shards: SHARDS, lastUpdated: BUSY, history, fleet } as never)
  watch.noticed(K, { ...settled, ...state } as ShardState)
  await new Promise((resolve) => setImmediate(resolve))
  // A read is not reported twice.
  expect(reads.take(K)).toBe(0)
  return done
}

describe('a process that uses a key with added shards', () => {
  it('votes busy at an eighth of the limit, whatever chance says', async () => {
    expect(await noticed({ busy: 1, chance: 0.999 })).toEqual(['votes busy'])
    expect(await noticed({ busy: 3, chance: 0.999 })).toEqual(['votes busy'])
  })

  it('votes busy below that with a chance in proportion to its rate: ten votes in a quiet period', async () => {
    // It looks ten times in the minute of a vote.
    expect(await noticed({ silence: 60 * SECOND, busy: 0.5, chance: 0.049 })).toEqual(['votes busy'])
    expect(await noticed({ silence: 60 * SECOND, busy: 0.5, chance: 0.05 })).toEqual([])
    expect(await noticed({ silence: 60 * SECOND, busy: 0, chance: 0 })).toEqual([])
    expect(await noticed({ silence: 60 * SECOND, chance: 0 })).toEqual([])
  })

  it('does nothing within a tenth of the quiet period after a vote', async () => {
    expect(await noticed({ silence: 60 * SECOND - 1, busy: 3 })).toEqual([])
    expect(await noticed({ silence: 60 * SECOND, busy: 3 })).toEqual(['votes busy'])
  })

  it('does nothing with a key that has no more than its initial shards, or is changing', async () => {
    expect(await noticed({ busy: 3, state: { shards: 1 } })).toEqual([])
    expect(await noticed({ busy: 3, state: { phase: 'retired' } as Partial<ShardState> })).toEqual([])
    expect(await noticed({ busy: 3, state: { shards: 2 } })).toEqual(['votes busy'])
  })
})

describe('a key that was quiet for the whole period', () => {
  it('shrinks once its reads are enough for a decision', async () => {
    expect(await noticed({ reported: 4_000 })).toEqual(['shrinks'])
    expect(await noticed({ reported: 3_999 })).toEqual([])
    expect(await noticed({})).toEqual([])
  })

  it('does not shrink before the period is over, nor by a process that removes no shards', async () => {
    expect(await noticed({ reported: 4_000, silence: QUIET - 1 })).toEqual([])
    expect(await noticed({ reported: 4_000, removes: false })).toEqual([])
  })

  it("shrinks whatever it is read, with shrink: 'always', and then no process reports reads", async () => {
    expect(await noticed({ shrink: 'always' })).toEqual(['shrinks'])
    const unread = { shrink: 'always', silence: QUIET - 1, chance: 0 } as const
    expect(await noticed({ ...unread, unitsForEachShard: 1_000 })).toEqual([])
  })
})

describe('the reads of a quiet key', () => {
  it('are reported for all of its shards', async () => {
    expect(await noticed({ unitsForEachShard: 250, silence: 60 * SECOND })).toEqual([['reports', '2000', 60]])
  })

  it('are reported seldom, and in amounts of two seconds of the whole fleet, where it reads much', async () => {
    const fleet = { unitsForEachShard: 250, reported: 4_000_000, silence: 60 * SECOND }
    // The fleet has read 4,000,000 units in a minute, and this process 2,000 of them: 1.5 % of what two seconds have.
    expect(await noticed({ ...fleet, chance: 0.014 })).toEqual([['reports', '133333']])
    expect(await noticed({ ...fleet, chance: 0.016 })).toEqual([])
  })

  it('are reported with a chance where they are few, and never without any', async () => {
    // 400 of 1,000 units.
    expect(await noticed({ unitsForEachShard: 50, chance: 0.39 })).toEqual([['reports', '1000', 600]])
    expect(await noticed({ unitsForEachShard: 50, chance: 0.41 })).toEqual([])
    expect(await noticed({ unitsForEachShard: 0, chance: 0 })).toEqual([])
  })
})
