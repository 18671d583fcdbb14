import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { EMPTY_CARD } from '../../test/log-card.js'
import { WatchedClock } from '../../test/watched-clock.js'
import type { LogicalKey } from '../keys/key.js'
import type { FleetUpdate, ShardState } from '../protocol/index.js'
import type { FleetSigns } from '../protocol/states/fleet-signs.js'
import { NO_HEAT } from '../protocol/states/fleet-signs.js'
import { resize } from '../protocol/states/random-count.js'
import { firstState } from '../protocol/states/shard-state.js'
import type { TableCard } from '../protocol/table-card/table-card.js'
import { type DynamicShardsOptions, dynamicShards } from './shards.js'
import { Shrinker, type ShrinkerOptions } from './shrinker.js'

const KEY = { S: 'k' } as LogicalKey
const SECOND = 1_000
const QUIET_SECONDS = 600
/** The key got its count, or was last busy, at this time. */
const BUSY = 1_800_000_000

interface Setting {
  readonly shards?: DynamicShardsOptions
  /** The shards of the key. */
  readonly count?: number
  readonly fleet?: Partial<FleetSigns>
  /** For how long the key is quiet when the delay begins. */
  readonly silenceSeconds?: number
  /** What the shard map says after the delay, if it is not the same. */
  readonly after?: (state: ShardState) => ShardState | undefined
  readonly card?: Partial<TableCard>
  /** Whether another process changes the count first. */
  readonly isLate?: boolean
}

/** Shrinks a quiet key without a look at the price. */
function setUp({
  shards = {},
  count = 8,
  fleet = {},
  silenceSeconds = QUIET_SECONDS,
  after = (state) => state,
  card,
  isLate = false,
}: Setting = {}) {
  const clock = new WatchedClock((BUSY + silenceSeconds) * SECOND)
  const grown = resize(firstState(1, BUSY - 100), count, BUSY)
  const signs: FleetSigns = { lastBusy: BUSY, heat: NO_HEAT, lastGrowth: undefined, ...fleet }
  const changes: unknown[] = []
  const signed: FleetUpdate[] = []
  const readAt: number[] = []
  const ending = new AbortController()
  const options = {
    table: { clock, random: new SeededRandom(1), options: { name: 'log' } },
    shards: dynamicShards({
      quiet: `${QUIET_SECONDS}s`,
      shrink: 'always',
      jitter: ['0s', '0s'],
      ...shards,
    }),
    shardMap: {
      reread: async () => {
        readAt.push(clock.now())
        return after({ ...grown, fleet: signs })
      },
    },
    cards: card && { peek: () => ({ ...EMPTY_CARD, ...card }) },
    store: {
      sign: async (_key: LogicalKey, update: FleetUpdate) => {
        signed.push(update)
        return true
      },
    },
    changer: {
      change: async (key: LogicalKey, state: ShardState, to: number, reason: string) => {
        changes.push({ key, from: state.shards, to, reason })
        return isLate ? undefined : state
      },
    },
    signal: ending.signal,
  }
  const shrinker = new Shrinker(options as unknown as ShrinkerOptions)
  const shrink = () => clock.run(() => shrinker.shrink(KEY))
  return { clock, shrink, changes, signed, readAt, ending }
}

/** The count that a quiet key gets, if it gets another one. */
async function countAfter(setting: Setting): Promise<number | undefined> {
  const { shrink, changes } = setUp(setting)
  await shrink()
  return (changes as { readonly to: number }[])[0]?.to
}

describe('a quiet key', () => {
  it('keeps a quarter of its shards', async () => {
    const { shrink, changes } = setUp()
    await shrink()
    expect(changes).toEqual([{ key: KEY, from: 8, to: 2, reason: 'quiet' }])
    expect(await countAfter({ count: 9 })).toBe(3)
    expect(await countAfter({ count: 2 })).toBe(1)
  })

  it('keeps its initial shards', async () => {
    expect(await countAfter({ shards: { initial: 3 } })).toBe(3)
    expect(await countAfter({ shards: { initial: 8 } })).toBeUndefined()
    expect(await countAfter({ shards: { initial: 9 } })).toBeUndefined()
  })

  it.each<readonly [string, Partial<TableCard>, number]>([
    ['which the table has by its card', { initial: firstState(5, 1) }, 5],
    [
      'to which the table is being migrated',
      { initial: firstState(5, 1), migration: { to: 6, position: undefined } },
      6,
    ],
  ])('keeps the initial shards %s, whatever the options of this process say', async (_which, card, kept) => {
    expect(await countAfter({ shards: { initial: 3 }, card })).toBe(kept)
  })

  it('keeps its shards if it was busy during the delay, or another process has changed it', async () => {
    const silent = (lastBusy: number) => (state: ShardState) => ({
      ...state,
      fleet: { heat: NO_HEAT, lastGrowth: undefined, lastBusy },
    })
    expect(await countAfter({ after: silent(BUSY) })).toBe(2)
    expect(await countAfter({ after: silent(BUSY + 1) })).toBeUndefined()
    expect(await countAfter({ after: () => undefined })).toBeUndefined()
    expect(await countAfter({ after: (state) => ({ ...state, phase: 'retired' }) as ShardState })).toBe(
      undefined,
    )
  })

  it('keeps its shards in a process that removes none', async () => {
    expect(await countAfter({ shards: { quiet: false }, silenceSeconds: 1e9 })).toBeUndefined()
  })
})

describe('the delay before a key shrinks', () => {
  it('is random, so that of many processes one is first, and ends with the client', async () => {
    const { clock, shrink, readAt } = setUp({ shards: { jitter: ['3s', '5s'] } })
    const from = clock.now()
    await shrink()
    const [at = Number.NaN] = readAt
    expect(at - from).toBeGreaterThan(3_000)
    expect(at - from).toBeLessThanOrEqual(5_000)
    expect(clock.sleeps).toEqual([{ milliseconds: at - from, mayEndProcess: true }])
    const ended = setUp({ shards: { jitter: ['3s', '5s'] } })
    ended.ending.abort(new Error('destroyed'))
    await expect(ended.shrink()).rejects.toThrow('destroyed')
    expect(ended.readAt).toEqual([])
  })

  it('is whole milliseconds', async () => {
    const { clock, shrink } = setUp({ shards: { jitter: [0.2, 0.8] } })
    await shrink()
    expect(clock.sleeps.map(({ milliseconds }) => milliseconds)).toEqual([1])
  })
})

describe('the peak of a key that shrinks', () => {
  it('is remembered for its next one', async () => {
    const { shrink, signed } = setUp({ fleet: { lastBusy: BUSY - 1 } })
    await shrink()
    expect(signed).toEqual([expect.objectContaining({ values: { ':peak': { S: `${BUSY}:8` } } })])
  })

  it('is not remembered if another process was first, or if the key keeps its shards', async () => {
    for (const setting of [{ isLate: true }, { after: () => undefined }]) {
      const { shrink, signed } = setUp(setting)
      await shrink()
      expect(signed).toEqual([])
    }
  })

  it('is not remembered once more if the count came from the memory', async () => {
    const { shrink, signed, changes } = setUp({ fleet: { lastPeak: { shards: 8, at: BUSY - 100 } } })
    await shrink()
    expect(changes).toHaveLength(1)
    expect(signed).toEqual([])
  })
})
