import { PARTITION_READ_UNITS, PARTITION_WRITE_UNITS } from '../sizing/partition-limits.js'
import { grouped, perCent } from '../text/text.js'
import type { PlanOption, PlanReason } from './plan.js'
import type { PlanInput } from './plan-input.js'
import type { PeakUnits } from './verdict.js'

/** The reason of a plan, and what to do, in sentences. */
export interface Advice {
  readonly because: string
  readonly steps: readonly string[]
}

/** What the sentences are made of. */
export interface Facts {
  readonly input: PlanInput
  readonly peak: PeakUnits
  readonly chosen: PlanOption | undefined
  /** Partitions for the throughput of the whole table at its peak. */
  readonly needed: number
}

type Sentences = (facts: Facts) => Advice

/** A table whose keys are cool can still be too small as a whole when its peak comes at once. */
function warmed({ needed, input, peak }: Facts): readonly string[] {
  if (needed <= input.partitions || input.provisionedWriteUnits !== undefined) return []
  return [
    `Before the peak, set warm throughput to ${grouped(peak.writes)} write and ${grouped(peak.reads)} read units a second: the table needs ${needed} partitions and has ${input.partitions}. If the traffic rises slowly, DynamoDB adds them.`,
  ]
}

const anyway = (chosen: PlanOption | undefined) =>
  chosen === undefined ? [] : [`If you shard all the same: ${shardsText(chosen)}.`]

const SENTENCES: { readonly [reason in PlanReason]: Sentences } = {
  'hot-keys': ({ input, peak, chosen }) => ({
    because: `The hottest key gets ${grouped(peak.hottestWrites)} write units a second. A partition takes ${grouped(PARTITION_WRITE_UNITS)}, and ${grouped(PARTITION_WRITE_UNITS * (1 - input.headRoom))} with the head-room of ${perCent(input.headRoom)}${
      input.order === 'rising'
        ? '. New items come at the end of the key, so split for heat does not divide it'
        : ''
    }.`,
    steps: [
      ...(input.partitionKeyType === 'N'
        ? [
            `Move to a table whose partition key is text (S): ${input.partitionKey} is a number (N), which takes no suffix, and the type of a key cannot be changed.`,
          ]
        : []),
      ...(chosen === undefined
        ? []
        : [
            ...(chosen.partitions > input.partitions
              ? [
                  `Set warm throughput to ${grouped(chosen.warmWriteUnits)} write and ${grouped(chosen.warmReadUnits)} read units a second, which makes ${chosen.partitions} partitions. Do it before the peak: it takes minutes, and it cannot be lowered. AWS charges once for it; that price is not in the price file.`,
                ]
              : []),
            `Shard with ${shardsText(chosen)}. With dynamic shards a key starts with 1 and grows to that in seconds; set the count before a peak that you know of.`,
            `Expect a page of the hottest key to cost ${chosen.pageReadUnits} read units.`,
          ]),
    ],
  }),
  fits: (facts) => ({
    because: `Do not shard: the hottest key uses ${perCent(facts.peak.hottestWrites / PARTITION_WRITE_UNITS)} of a partition's writes and ${perCent(facts.peak.hottestReads / PARTITION_READ_UNITS)} of its reads, which leaves the head-room of ${perCent(facts.input.headRoom)}.`,
    steps: [
      ...warmed(facts),
      'Raise an alarm on WriteKeyRangeThroughputThrottleEvents, and look at the keys with `isotherm hot`.',
    ],
  }),
  'table-too-small': ({ peak, input }) => ({
    because: `Do not shard: no key is hot, but the table needs ${grouped(peak.writes)} write units a second and has ${grouped(input.provisionedWriteUnits ?? 0)}.`,
    steps: [
      'Raise the provisioned capacity, or switch to PAY_PER_REQUEST. Shards add no capacity to a table.',
    ],
  }),
  'split-for-heat': ({ input, chosen }) => ({
    because: `Do not shard: writes are spread over the sort keys, the table has no local index, and the traffic takes ${input.rampMinutes} minutes to rise. DynamoDB splits the partition in that time, and the split stays.`,
    steps: [
      'Let the traffic rise slowly once, for instance with a load test: partitions that were split stay split.',
      'Watch WriteKeyRangeThroughputThrottleEvents. Shard if it does not return to zero.',
      ...anyway(chosen),
    ],
  }),
  'cache-reads': ({ peak }) => ({
    because: `Do not shard: only reads are hot (${grouped(peak.hottestReads)} read units a second of the ${grouped(PARTITION_READ_UNITS)} that a partition delivers). Shards make each query of the key dearer, and do not divide the reads of one item.`,
    steps: [
      'Cache the hot items or pages: DAX, or a cache in the process for a second. At this rate one second already saves most reads.',
      'Use eventually consistent reads where you can: they cost half.',
      'If many different items of the key are read one by one, a calculated suffix does divide them: growByReads() of dynamicShards.',
    ],
  }),
  'single-item': ({ peak }) => ({
    because: `Do not shard: the traffic is on one item, ${grouped(peak.hottestWrites)} write units a second, and no suffix divides an item.`,
    steps: [
      'If it counts something, use isotherm/counter: it spreads the count over items and adds them up.',
      'Otherwise collect changes for a second and write them at once, or append them as items of their own and roll them up.',
    ],
  }),
  'better-key': ({ input, chosen }) => ({
    because: `Do not shard yet: the table has only ${input.distinctKeys} keys. So few keys never use more partitions, and each gets hot as the traffic grows.`,
    steps: [
      `Put an attribute with many values into the partition key, such as the id of the entity, and keep ${input.partitionKey} as an attribute or as the key of an index.`,
      ...anyway(chosen),
    ],
  }),
  'beyond-quota': ({ peak }) => ({
    because: `No shard count carries ${grouped(peak.writes)} write units a second with this head-room within the default quota of a table, 40,000 units a second.`,
    steps: [
      'Accept less head-room or a lower confidence, ask AWS for a higher quota, make the items smaller, or spread the traffic over several tables. Then plan again.',
    ],
  }),
}

export function adviceOf(reason: PlanReason, facts: Facts): Advice {
  return SENTENCES[reason](facts)
}

function shardsText({ shards, partitions, odds }: PlanOption): string {
  const [most = 1, ...others] = [...shards].sort((a, b) => b - a)
  const rest = others.length === 0 ? '' : ` (the next keys: ${others.join(', ')})`
  return `${most} shards for the hottest key${rest} on ${partitions} partitions. The odds that no partition is above its limit are ${perCent(Math.min(odds, 0.9999))}`
}
