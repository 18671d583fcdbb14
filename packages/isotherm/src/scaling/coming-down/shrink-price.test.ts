import type { QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import type { LogicalKey } from '../../keys/key.js'
import { atRest, type MovingTable, NO_HEAT } from '../../protocol/index.js'
import { shrinkPrice } from './shrink-price.js'

const K = { S: 'k' } as LogicalKey
const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3_600

/** The price of two shards less for a key of four, each of which has one item a page on two pages. */
async function priced({ unitsPerSecond }: { readonly unitsPerSecond?: number } = {}) {
  const clock = new VirtualClock()
  const now = Math.floor(clock.now() / 1_000)
  const days = [29, 31]
  const send = async ({ input }: { readonly input: QueryCommandInput }) => ({
    $metadata: {},
    Count: 1,
    Items: [{ until: { N: String(now + (days[input.ExclusiveStartKey ? 1 : 0] ?? 0) * DAY_SECONDS) } }],
    ConsumedCapacity: { CapacityUnits: 0.5 },
    ...(input.ExclusiveStartKey === undefined ? { LastEvaluatedKey: { pk: { S: 'k' } } } : {}),
  })
  const suffix = { add: (_: LogicalKey, shard: number) => ({ S: `k_${shard}` }), hasRoom: () => true }
  const options = { name: 'log', partitionKey: 'pk', sortKey: undefined }
  const table = { options, suffix, clock, random: new SeededRandom(1), client: { send } }
  const quietReads = { units: 10_000, since: now - HOUR_SECONDS, weighed: 0 }
  const fleet = { heat: NO_HEAT, lastGrowth: undefined, lastBusy: 0, quietReads }
  const state = atRest({
    shards: 4,
    lastUpdated: now - DAY_SECONDS,
    history: [`${now - DAY_SECONDS}:4`],
    fleet,
  })
  const price = await clock.run(() =>
    shrinkPrice(table as unknown as MovingTable, K, state, {
      to: 2,
      costs: { read: async () => ({ unitsPerKilobyte: 50, timeToLive: 'until' }) } as never,
      unitsPerSecond,
      signal: new AbortController().signal,
    }),
  )
  return { price, seconds: clock.now() / 1_000 - now }
}

describe('the price of fewer shards', () => {
  it('is that of all items of the shards that go, with those that expire within thirty days named', async () => {
    const { price } = await priced()
    expect(price).toMatchObject({ from: 4, to: 2, items: 4, expiringItems: 2, writeUnits: 400, seconds: 4 })
  })

  it('is paid by half of the reads, if half of the shards go', async () => {
    const { price } = await priced({ unitsPerSecond: 25 })
    // 10,000 units an hour are 120,000 a day for the two shards; 400 write units cost as much as 2,000 read units.
    expect(price).toMatchObject({
      seconds: 16,
      savedReadUnitsPerDay: 120_000,
      paysAfterDays: 2_000 / 120_000,
    })
  })

  it('is found out no faster than the items may be moved', async () => {
    expect((await priced({ unitsPerSecond: 1 })).seconds).toBeGreaterThan(1)
    expect((await priced()).seconds).toBeLessThan(0.5)
  })
})
