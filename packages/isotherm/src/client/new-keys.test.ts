import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { beforeAll, describe, expect, it } from 'vitest'
import { watchRequests } from '../../test/sent-requests.js'
import { warmedUp } from '../../test/warmed-up.js'
import { ensureShardMap } from '../protocol/shard-map/ensure-shard-map.js'
import { dynamicShards } from '../scaling/shards.js'
import { isotherm } from './isotherm.js'

const KEYS_PER_SECOND = 6_000
const SECONDS = 1
const PROCESSES = 10
/** Of the network, each way. */
const MOST_LATENCY = 4
/** Twice what the keys take, and one shard map as it is when it has just been made: 4,000 units a second. */
const WarmThroughput = { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 12_000 }

const keyOf = (at: number) => ({ pk: { S: `session-${at}` }, sk: { N: '1' } })

interface Outcome {
  readonly refused: number
  readonly p99: number
  /** What was sent to the shard map, by its operation. */
  readonly toShardMap: Readonly<Record<string, number>>
}

/** Puts new keys at this rate into a healthy table, with a shard map that nobody has used. */
async function newKeys(suffix: 'random' | 'calculated' | undefined): Promise<Outcome> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), metrics: false })
  const client = await warmedUp(local.client({ maxAttempts: 1 }))
  const toShardMap: Record<string, number> = {}
  const durations: number[] = []
  let refused = 0
  await clock.run(async () => {
    await client.send(createTable('log', ['pk', 'sk:N'], { WarmThroughput }))
    await ensureShardMap(client, { table: 'log', clock })
    addLatency(client, clock)
    watchRequests(client, {
      before: ({ operation, input }) => {
        if (input.TableName === 'log_shard_map') toShardMap[operation] = (toShardMap[operation] ?? 0) + 1
      },
    })
    const fleet = Array.from({ length: PROCESSES }, (_, at): DynamoDBClient => {
      if (suffix === undefined) return client
      const log = { partitionKey: 'pk', sortKey: 'sk', suffix, shards: dynamicShards() }
      return isotherm(client, { tables: { log }, clock, random: new SeededRandom(at) })
    })
    // Each process has started, and has read the card.
    for (const db of fleet) await db.send(new GetItemCommand({ TableName: 'log', Key: keyOf(-1) }))
    const puts: Promise<void>[] = []
    for (let at = 0; at < KEYS_PER_SECOND * SECONDS; at++) {
      await clock.sleep(1_000 / KEYS_PER_SECOND)
      const begun = clock.now()
      const put = fleet[at % PROCESSES]?.send(new PutItemCommand({ TableName: 'log', Item: keyOf(at) }))
      puts.push(
        Promise.resolve(put).then(
          () => {
            durations.push(clock.now() - begun)
          },
          () => {
            refused += 1
          },
        ),
      )
    }
    await Promise.all(puts)
  })
  await local.close()
  const p99 = durations.sort((a, b) => a - b)[Math.floor(durations.length * 0.99)] ?? 0
  return { refused, p99, toShardMap }
}

function addLatency(client: DynamoDBClient, clock: VirtualClock): void {
  const random = new SeededRandom(5)
  client.middlewareStack.add(
    (next) => async (args) => {
      await clock.sleep(random.next() * MOST_LATENCY)
      const result = await next(args)
      await clock.sleep(random.next() * MOST_LATENCY)
      return result
    },
    { step: 'finalizeRequest', priority: 'low', name: 'latency' },
  )
}

describe('6,000 new keys a second', () => {
  let plain: Outcome
  beforeAll(async () => {
    plain = await newKeys(undefined)
  })

  it.each(['random', 'calculated'] as const)(
    'are put as without the library, with a suffix %s and a fresh shard map',
    async (suffix) => {
      const { refused, p99, toShardMap } = await newKeys(suffix)
      expect(plain).toMatchObject({ refused: 0, toShardMap: {} })
      expect(refused).toBe(0)
      expect(p99).toBeLessThanOrEqual(plain.p99 * 1.02)
      expect(p99).toBeGreaterThan(MOST_LATENCY)
      // Each process reads the card. The first one makes it.
      expect(toShardMap).toEqual({ GetItem: PROCESSES, Scan: 1, PutItem: 1 })
    },
  )
})
