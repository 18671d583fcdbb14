import type { QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import type { IsothermEvent } from '../../events/event.js'
import type { LogicalKey } from '../../keys/key.js'
import { type AtRest, atRest, type MovingTable, NO_HEAT } from '../../protocol/index.js'
import { ComingDown } from './coming-down.js'

const K = { S: 'k' } as LogicalKey
const QUIET_SECONDS = 3_600

interface Situation {
  /** Items in each of the shards 3 and 4, which are to be removed. Each item costs one write unit, as much as five read units. */
  readonly items?: number
  /** When each of these items expires, in seconds from now. */
  readonly expireIn?: readonly number[]
  /** What the key has been read for since it is quiet. Half of the shards are to be removed, so half of it was for them. */
  readonly readUnits?: number
  readonly weighed?: number
  readonly unitsPerDay?: number
  readonly isClaimed?: boolean
  readonly isRemoved?: boolean
  /** Whether the shard map fails while the shards are removed. */
  readonly fails?: boolean
  readonly drainUnitsPerSecond?: number
}

/** Decides once or several times whether a key of four shards is to have two. */
async function decided(situation: Situation, times = 1) {
  const { items = 10, expireIn, readUnits = 100_000, weighed = 0 } = situation
  const { unitsPerDay = 1_000, isClaimed = true, isRemoved = true, fails = false } = situation
  const clock = new VirtualClock()
  const now = Math.floor(clock.now() / 1_000)
  const at = {
    counted: [] as string[],
    events: [] as IsothermEvent[],
    removed: 0,
    outcomes: [] as boolean[],
    seconds: 0,
  }
  const send = async ({ input }: { readonly input: QueryCommandInput }) => {
    at.counted.push(input.ExpressionAttributeValues?.[':key']?.S ?? '')
    const Items = expireIn?.map((seconds) => ({ until: { N: String(now + seconds) } }))
    return { $metadata: {}, Count: items, ...(Items && { Items }), ConsumedCapacity: { CapacityUnits: 0.5 } }
  }
  const suffix = { add: (_: LogicalKey, shard: number) => ({ S: `k_${shard}` }), hasRoom: () => true }
  const options = { name: 'log', partitionKey: 'pk', sortKey: undefined }
  const emit = (event: IsothermEvent) => at.events.push(event)
  const table = { options, suffix, clock, random: new SeededRandom(1), emit, client: { send } }
  const comingDown = new ComingDown({
    table: table as unknown as MovingTable,
    store: { sign: async () => isClaimed },
    costs: { read: async () => ({ unitsPerKilobyte: 1, timeToLive: expireIn && 'until' }) } as never,
    shards: {
      shrink: 'when-it-pays',
      shrinkUnitsPerDay: unitsPerDay,
      drainUnitsPerSecond: situation.drainUnitsPerSecond,
    },
    signal: new AbortController().signal,
  })
  const quietReads = { units: readUnits, since: now - QUIET_SECONDS, weighed }
  const grownAt = now - 2 * QUIET_SECONDS
  const fleet = { heat: NO_HEAT, lastGrowth: undefined, lastBusy: 0, quietReads }
  const state: AtRest = atRest({ shards: 4, lastUpdated: grownAt, history: [`${grownAt}:4`], fleet })
  await clock.run(async () => {
    const from = clock.now()
    for (let time = 0; time < times; time++) {
      const deciding = comingDown.decide(K, state, 2, async () => {
        at.removed += 1
        if (fails) throw new Error('The shard map fails.')
        return isRemoved
      })
      at.outcomes.push(await (fails ? deciding.catch(() => false) : deciding))
    }
    at.seconds = (clock.now() - from) / 1_000
  })
  return at
}

const reasonsOf = ({ events }: { readonly events: readonly IsothermEvent[] }) =>
  events.map((event) => (event.type === 'shrink-declined' ? event.reason : event.type))

describe('the decision to remove shards of a quiet key', () => {
  it('counts the items of these shards, and removes them where the move is paid for', async () => {
    const at = await decided({})
    expect(at).toMatchObject({ outcomes: [true], removed: 1, counted: ['k_3', 'k_4'], events: [] })
  })

  it('is not made before the key was read for a while, and not again before it was read twice as much', async () => {
    for (const situation of [{ readUnits: 1 }, { weighed: 60_000 }]) {
      const at = await decided(situation)
      expect(at).toMatchObject({ outcomes: [false], removed: 0, counted: [], events: [] })
    }
    expect(await decided({ weighed: 50_000 })).toMatchObject({ outcomes: [true] })
  })

  it('is left to the process of the fleet that claims it', async () => {
    const at = await decided({ isClaimed: false })
    expect(at).toMatchObject({ outcomes: [false], removed: 0, counted: [], events: [] })
  })

  it('is for the move if the reads have cost exactly as much, and against it if they have cost less', async () => {
    // 20,000 items cost 100,000 read units, and half of the reads were for the shards that go.
    const shards = { items: 10_000, unitsPerDay: 1_000_000 }
    expect(await decided({ ...shards, readUnits: 200_000 })).toMatchObject({ outcomes: [true] })
    const at = await decided({ ...shards, readUnits: 199_998 })
    expect(at).toMatchObject({ outcomes: [false], removed: 0 })
    expect(at.events).toMatchObject([
      { reason: 'price', from: 4, to: 2, items: 20_000, writeUnits: 20_000, spentReadUnits: 99_999 },
    ])
  })

  it('counts no further once the move costs too much, and says what was counted', async () => {
    const at = await decided({ items: 10_001, readUnits: 100_000, unitsPerDay: 1_000_000 })
    expect(at).toMatchObject({ outcomes: [false], counted: ['k_3'] })
    expect(at.events).toMatchObject([{ reason: 'price', items: 10_001 }])
  })

  it('waits for items that expire, if these are more than half of all', async () => {
    // The move would have paid after another hour, as long as the key has been quiet.
    const [soon, late] = [QUIET_SECONDS - 1, QUIET_SECONDS]
    const half = await decided({ items: 2, expireIn: [soon, late] })
    expect(half).toMatchObject({ outcomes: [true], events: [] })
    const most = await decided({ items: 3, expireIn: [soon, soon, late] })
    expect(reasonsOf(most)).toEqual(['expiry'])
  })

  it('spends no more than its budget of a day, of which nothing is gone where no shard was removed', async () => {
    const spent = await decided({ unitsPerDay: 50 }, 4)
    expect(spent.outcomes).toEqual([true, true, false, false])
    expect(reasonsOf(spent)).toEqual(['budget', 'budget'])
    const kept = await decided({ unitsPerDay: 50, isRemoved: false }, 4)
    expect(kept).toMatchObject({ outcomes: [false, false, false, false], removed: 4, events: [] })
    const failed = await decided({ unitsPerDay: 50, fails: true }, 4)
    expect(failed).toMatchObject({ removed: 4, events: [] })
  })

  it('reads no faster than drains may', async () => {
    expect((await decided({ drainUnitsPerSecond: 10 }, 50)).seconds).toBeGreaterThan(2)
    expect((await decided({}, 2)).seconds).toBeLessThan(1)
  })
})
