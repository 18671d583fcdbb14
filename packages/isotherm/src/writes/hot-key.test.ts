import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { isotherm } from '../client/isotherm.js'
import { fixedShards } from '../scaling/shards.js'

const SECONDS = 8
const OTHERS = 20
const TEXT = 'x'.repeat(19 * 1_024)

interface Run {
  /** The milliseconds that each write took, by key. */
  readonly waits: ReadonlyMap<string, number[]>
  readonly failures: ReadonlyMap<string, number>
  /** Keys that their partition throttled at least once: the hot one, and its neighbours. */
  readonly throttled: ReadonlySet<string>
  readonly retryTokens: number
}

/**
 * Conditional updates of twenty keys, ten times per second each, and of a hot key at three times the rate of a
 * partition.
 */
async function traffic(isHot: boolean): Promise<Run> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(3) })
  // The SDK's own strategy, with its budget of tokens for the whole client.
  const retryStrategy = await new DynamoDBClient({ region: 'local' }).config.retryStrategy()
  const client = await warmedUp(local.client({ retryStrategy }))
  const waits = new Map<string, number[]>()
  const failures = new Map<string, number>()
  const throttled = new Set<string>()
  const db = isotherm(client, {
    tables: { log: { partitionKey: 'pk', sortKey: 'sk', suffix: 'calculated', shards: fixedShards(2) } },
    clock,
    random: new SeededRandom(4),
    onEvent: (event) => {
      if (event.type === 'throttled') throttled.add(String(event.logicalKey))
    },
  })
  const write = async (pk: string, sort: number) => {
    const from = clock.now()
    try {
      await db.send(updateOf(pk, sort))
      waits.set(pk, [...(waits.get(pk) ?? []), clock.now() - from])
    } catch {
      failures.set(pk, (failures.get(pk) ?? 0) + 1)
    }
  }
  await clock.run(async () => {
    // Sixteen partitions, so that most of the other keys are not neighbours of the hot one.
    const WarmThroughput = { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 16_000 }
    await client.send(createTable('log', ['pk', 'sk:N'], { WarmThroughput }))
    const writes: Promise<void>[] = []
    for (let tick = 0; tick < SECONDS * 100; tick++) {
      await clock.sleep(10)
      if (isHot) for (let each = 0; each < 2; each++) writes.push(write('hot', 1))
      if (tick % 10 === 0)
        for (let other = 0; other < OTHERS; other++) writes.push(write(`other ${other}`, tick))
    }
    await Promise.all(writes)
  })
  await local.close()
  return {
    waits,
    failures,
    throttled,
    retryTokens: (retryStrategy as unknown as { getCapacity(): number }).getCapacity(),
  }
}

function updateOf(pk: string, sort: number): UpdateItemCommand {
  return new UpdateItemCommand({
    TableName: 'log',
    Key: { pk: { S: pk }, sk: { N: String(sort) } },
    UpdateExpression: 'SET body = :body',
    ConditionExpression: 'attribute_not_exists(closed)',
    ExpressionAttributeValues: { ':body': { S: pk === 'hot' ? TEXT : 'x' } },
  })
}

describe('a hot key with a calculated suffix', () => {
  it('does not affect the success and the latency of the other keys', async () => {
    const calm = await traffic(false)
    const hot = await traffic(true)
    expect(calm.failures.size).toBe(0)
    expect(hot.failures.get('hot') ?? 0).toBeGreaterThan(100)
    const away = [...calm.waits.keys()].filter((key) => !hot.throttled.has(key))
    expect(away.length).toBeGreaterThanOrEqual(OTHERS / 2)
    for (const key of away) {
      expect(hot.failures.get(key) ?? 0).toBe(0)
      expect(hot.waits.get(key)).toEqual(calm.waits.get(key))
    }
    expect(hot.retryTokens).toBe(500)
  }, 60_000)
})
