import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { type Clock, SeededRandom } from '@isotherm/runtime'
import { counter } from 'isotherm/counter'
import { farClient } from './far-client.js'
import { inLocalWorld } from './local-world.js'
import type { PatternReport, PatternSettings } from './pattern-report.js'
import { plainTable } from './tables.js'
import { withAttempts } from './with-attempts.js'

const SECONDS = 6
const COUNTS_PER_SECOND = 3_000
const PROCESSES = 20
/** Counts are offered every so often. */
const STEP_MILLISECONDS = 10

interface Outcome {
  offered: number
  acknowledged: number
  failed: number
  lastSecond: number
  value: number
  shards: number
}

/** A way to count. */
interface Votes {
  add(): Promise<void>
  value(): Promise<number>
  shards(): Promise<number>
}

/** A campaign goes on air: three times what one partition takes, for one counter that nobody has used before. */
export async function runCounter({ seed, scale = 1, watch }: PatternSettings): Promise<PatternReport> {
  const perSecond = Math.ceil(COUNTS_PER_SECOND * scale)
  const byHand = await offer(seed, perSecond, watch, oneItem)
  const pattern = await offer(seed, perSecond, watch, (client, clock, process) =>
    withPattern(client, clock, seed + process),
  )
  const row = (name: string, key: keyof Outcome) => ({ name, values: [byHand[key], pattern[key]] as const })
  return {
    title: `one counter, ${perSecond} counts a second for ${SECONDS} s, ${PROCESSES} processes`,
    seed,
    columns: ['one item, ADD', 'isotherm/counter'],
    rows: [
      row('counts that were offered', 'offered'),
      row('counts that were acknowledged', 'acknowledged'),
      row('counts that failed after all attempts', 'failed'),
      row('of them in the last second', 'lastSecond'),
      row('value of the counter', 'value'),
      row('shards', 'shards'),
    ],
    isGood: pattern.value === pattern.acknowledged && pattern.lastSecond === 0,
  }
}

function offer(
  seed: number,
  perSecond: number,
  watch: PatternSettings['watch'],
  open: (client: DynamoDBClient, clock: Clock, process: number) => Votes,
): Promise<Outcome> {
  return inLocalWorld({ seed, throttle: true, watch }, async ({ client, clock }) => {
    await client.send(plainTable('counters', 'id'))
    const fleet = Array.from({ length: PROCESSES }, (_, process) => {
      const random = new SeededRandom(1_000 * seed + process)
      return open(farClient(client, { clock, random, endings: 0 }), clock, process)
    })
    const outcome = { offered: 0, acknowledged: 0, failed: 0, lastSecond: 0 }
    const sent: Promise<void>[] = []
    const atATime = Math.ceil((perSecond * STEP_MILLISECONDS) / 1_000)
    for (let at = 0; at < SECONDS * perSecond; at++) {
      if (at % atATime === 0) await clock.sleep(STEP_MILLISECONDS)
      outcome.offered += 1
      const second = Math.floor(at / perSecond)
      sent.push(
        (fleet[at % PROCESSES] as Votes).add().then(
          () => {
            outcome.acknowledged += 1
          },
          () => {
            outcome.failed += 1
            if (second === SECONDS - 1) outcome.lastSecond += 1
          },
        ),
      )
    }
    await Promise.all(sent)
    // What was throttled is read when the partitions have units again.
    await clock.sleep(2_000)
    const reader = fleet[0] as Votes
    return { ...outcome, value: await reader.value(), shards: await reader.shards() }
  })
}

function oneItem(client: DynamoDBClient, clock: Clock): Votes {
  const Key = { id: { S: 'Campaign#101' } }
  return {
    add: async () => {
      const update = new UpdateItemCommand({
        TableName: 'counters',
        Key,
        UpdateExpression: 'ADD n :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      })
      await withAttempts(clock, () => client.send(update))
    },
    value: async () => {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: 'counters', Key, ConsistentRead: true }),
      )
      return Number(Item?.n?.N ?? 0)
    },
    shards: async () => 1,
  }
}

function withPattern(client: DynamoDBClient, clock: Clock, seed: number): Votes {
  const votes = counter(client, {
    table: 'counters',
    partitionKey: 'id',
    key: 'Campaign#101',
    clock,
    random: new SeededRandom(seed),
  })
  return {
    add: async () => {
      await votes.add(1)
    },
    value: () => votes.value(),
    shards: async () => (await votes.estimate(1)).shards,
  }
}
