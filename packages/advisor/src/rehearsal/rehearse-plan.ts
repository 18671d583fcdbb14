import { CreateTableCommand } from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import { onNextTurn, SeededRandom, VirtualClock } from '@isotherm/runtime'
import type { Plan } from '../plan/plan.js'
import { PARTITION_READ_UNITS, PARTITION_WRITE_UNITS } from '../sizing/partition-limits.js'
import { type OfferedKey, offerWrites, type SecondOfWrites } from './offer-writes.js'

/** How a plan is rehearsed. */
export interface RehearsalOptions {
  /** How often the keys get other names, which puts their shards on other partitions. The default is 10. */
  readonly draws?: number
  /** Seconds at the peak. The default is 6. */
  readonly seconds?: number
  readonly seed?: number
  readonly signal?: AbortSignal
  readonly onProgress?: (done: number, of: number) => void
}

/** What happened in the runs with one number of shards, from the third second on: buckets are full at first. */
export interface RehearsedRun {
  readonly shards: readonly number[]
  readonly partitions: number
  readonly draws: number
  readonly offeredPerSecond: number
  /** The mean over all draws. */
  readonly acceptedPerSecond: number
  readonly throttledShare: number
  /** Of the worst draw. */
  readonly worstThrottledShare: number
  /** In how many draws less than a thousandth was throttled. */
  readonly cleanDraws: number
  /** The load of the hottest partition, as a part of its limit: in the middle of all draws, and in the worst. */
  readonly hottestPartition: { readonly median: number; readonly worst: number }
}

/** A plan beside the table without shards, on the local engine. */
export interface Rehearsal {
  readonly seconds: number
  readonly seed: number
  readonly unsharded: RehearsedRun
  /** Missing if the plan has no shards. */
  readonly planned?: RehearsedRun
}

const DRAWS = 10
const SECONDS = 6
const SETTLED_FROM = 2
/** A rehearsal takes seconds, not minutes. */
const MAX_WRITES = 200_000
const MIN_SECONDS = 5
/** So many other keys stand for all that are not hot. */
const OTHER_KEYS = 1_000
const CLEAN_SHARE = 0.001

/**
 * Offers the peak of a plan to the local engine, in virtual time: without shards, and with those of the plan. Only
 * writes are offered.
 *
 * @throws LocalError if the engine refuses the table
 */
export async function rehearsePlan(plan: Plan, options: RehearsalOptions = {}): Promise<Rehearsal> {
  const { draws = DRAWS, seed = plan.input.seed, signal, onProgress } = options
  const { chosen, input } = plan
  const rate =
    input.otherWritesPerSecond + input.keys.reduce((sum, { writesPerSecond }) => sum + writesPerSecond, 0)
  const seconds = Math.max(
    MIN_SECONDS,
    Math.min(options.seconds ?? SECONDS, Math.floor(MAX_WRITES / rate / 2)),
  )
  const most = Math.max(1, Math.min(draws, Math.floor(MAX_WRITES / rate / seconds)))
  const all = most + (chosen === undefined ? 0 : most)
  const run = (shards: readonly number[], partitions: number, before: number) =>
    rehearsed({
      plan,
      shards,
      partitions,
      seconds,
      seed,
      draws: most,
      signal,
      onDraw: (done) => onProgress?.(before + done, all),
    })
  const unsharded = await run(
    input.keys.map(() => 1),
    input.partitions,
    0,
  )
  if (chosen === undefined) return { seconds, seed, unsharded }
  const shards = plan.keys.map((key) => key.shards)
  return { seconds, seed, unsharded, planned: await run(shards, chosen.partitions, most) }
}

interface Run {
  readonly plan: Plan
  readonly shards: readonly number[]
  readonly partitions: number
  readonly seconds: number
  readonly seed: number
  readonly draws: number
  readonly signal: AbortSignal | undefined
  readonly onDraw: (done: number) => void
}

async function rehearsed({ onDraw, ...run }: Run): Promise<RehearsedRun> {
  const shares: number[] = []
  const hottest: number[] = []
  let [offered, accepted] = [0, 0]
  for (let draw = 0; draw < run.draws; draw++) {
    run.signal?.throwIfAborted()
    const seen = (await oneDraw(run, draw)).slice(SETTLED_FROM)
    const own = { offered: sumOf(seen, 'offered'), accepted: sumOf(seen, 'accepted') }
    offered += own.offered / seen.length
    accepted += own.accepted / seen.length
    shares.push(own.offered === 0 ? 0 : 1 - own.accepted / own.offered)
    hottest.push(Math.max(0, ...seen.map((second) => second.hottestUnits)) / PARTITION_WRITE_UNITS)
    onDraw(draw + 1)
    // A signal is only received between turns of the event loop.
    await new Promise<void>((resolve) => onNextTurn(resolve))
  }
  hottest.sort((a, b) => a - b)
  return {
    shards: run.shards,
    partitions: run.partitions,
    draws: run.draws,
    offeredPerSecond: offered / run.draws,
    acceptedPerSecond: accepted / run.draws,
    throttledShare: offered === 0 ? 0 : 1 - accepted / offered,
    worstThrottledShare: Math.max(0, ...shares),
    cleanDraws: shares.filter((share) => share < CLEAN_SHARE).length,
    hottestPartition: { median: hottest[hottest.length >> 1] ?? 0, worst: hottest.at(-1) ?? 0 },
  }
}

/** One table on an engine of its own. */
async function oneDraw(
  { plan: { input }, shards, partitions, seconds, seed }: Omit<Run, 'onDraw'>,
  draw: number,
): Promise<readonly SecondOfWrites[]> {
  const clock = new VirtualClock()
  const random = new SeededRandom(seed + draw)
  const local = createLocal({ clock, random, metrics: false })
  try {
    // A retry would wait on a clock that stands still.
    const client = local.client({ maxAttempts: 1 })
    await client.send(
      new CreateTableCommand({
        TableName: TABLE,
        AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        BillingMode: 'PAY_PER_REQUEST',
        ...(partitions > NEW_PARTITIONS
          ? {
              WarmThroughput: {
                // Writes make the partitions.
                ReadUnitsPerSecond: NEW_PARTITIONS * PARTITION_READ_UNITS,
                WriteUnitsPerSecond: partitions * PARTITION_WRITE_UNITS,
              },
            }
          : {}),
      }),
    )
    const hot = input.keys.map(({ writesPerSecond }, index): OfferedKey => {
      return { name: `hot-${draw}-${index}`, writesPerSecond, shards: shards[index] ?? 1 }
    })
    const others = { keys: OTHER_KEYS, writesPerSecond: input.otherWritesPerSecond }
    return await offerWrites({
      local,
      client,
      clock,
      random,
      table: TABLE,
      hot,
      others,
      seconds,
      itemBytes: input.itemBytes,
    })
  } finally {
    await local.close()
  }
}

const TABLE = 'rehearsal'
const NEW_PARTITIONS = 4

function sumOf(seconds: readonly SecondOfWrites[], member: 'offered' | 'accepted'): number {
  return seconds.reduce((sum, second) => sum + second[member], 0)
}
