import {
  NEW_ON_DEMAND_PARTITIONS,
  PARTITION_READ_UNITS,
  PARTITION_WRITE_UNITS,
} from '../sizing/partition-limits.js'
import { pageReadUnits } from '../sizing/read-price.js'
import { smallestShardCounts } from '../sizing/shard-count.js'
import type { PlanOption } from './plan.js'
import type { PlanInput } from './plan-input.js'

/** What a table and an index may get by default, without a higher quota. */
const QUOTA_UNITS = 40_000
const NEW_READ_UNITS = NEW_ON_DEMAND_PARTITIONS * PARTITION_READ_UNITS
const MAX_PARTITIONS = QUOTA_UNITS / PARTITION_WRITE_UNITS
/** Multiples of the fewest partitions that are tried. More partitions need fewer shards. */
const MULTIPLES = [1, 1.25, 1.5, 2, 3, 4] as const
/** More shards than this multiple of the fewest possible cost readers more than partitions do. */
const GENEROUS = 3

/** Units per second of the hot keys and of all others. */
export interface HotUnits {
  readonly hot: readonly number[]
  readonly others: number
  /** Of the whole table. */
  readonly reads: number
}

/** Choices of partitions, each with the smallest shard counts that carry the peak. */
export function shardOptions(input: PlanInput, { hot, others, reads }: HotUnits): readonly PlanOption[] {
  const limit = PARTITION_WRITE_UNITS * (1 - input.headRoom)
  const all = hot.reduce((sum, units) => sum + units, others)
  const fewest = Math.max(1, Math.ceil(all / limit))
  const wanted = [input.partitions, ...MULTIPLES.map((multiple) => Math.ceil(fewest * multiple))]
  const most = Math.max(MAX_PARTITIONS, input.partitions)
  const counts = [...new Set(wanted)].filter((count) => count >= Math.max(input.partitions, fewest))
  const withPartitions = (partitions: number): readonly PlanOption[] => {
    const found = smallestShardCounts({
      hotUnits: hot,
      baseUnits: others / partitions,
      limitUnits: limit,
      partitions,
      confidence: input.confidence,
      seed: input.seed,
    })
    return found === undefined ? [] : [optionOf(input, partitions, reads, found)]
  }
  const options = counts
    .sort((a, b) => a - b)
    .filter((count) => count <= most)
    .flatMap(withPartitions)
  // The quota may lie between two multiples.
  return options.length === 0 && fewest <= most ? withPartitions(most) : options
}

function optionOf(
  { itemBytes, pageItems, consistency }: PlanInput,
  partitions: number,
  peakReadUnits: number,
  found: Pick<PlanOption, 'shards' | 'odds' | 'method'>,
): PlanOption {
  const most = Math.max(...found.shards)
  return {
    partitions,
    warmWriteUnits: partitions * PARTITION_WRITE_UNITS,
    // Writes make the partitions. Reads of a new on-demand table are 12,000 anyway.
    warmReadUnits: Math.min(QUOTA_UNITS, Math.max(NEW_READ_UNITS, Math.ceil(peakReadUnits))),
    ...found,
    meetOdds: meetOdds(most, partitions),
    pageReadUnits: pageReadUnits({ items: pageItems, itemBytes, shards: most, consistency }),
  }
}

/** The first option with a reasonable shard count; otherwise the one with the fewest shards. */
export function chosenOption(
  options: readonly PlanOption[],
  hottest: number,
  headRoom: number,
): PlanOption | undefined {
  const fewest = Math.ceil(hottest / (PARTITION_WRITE_UNITS * (1 - headRoom)))
  const reasonable = options.find(({ shards }) => Math.max(...shards) <= Math.max(2, fewest * GENEROUS))
  return reasonable ?? [...options].sort((a, b) => Math.max(...a.shards) - Math.max(...b.shards))[0]
}

/** One minus the odds that all shards have partitions of their own. */
function meetOdds(shards: number, partitions: number): number {
  if (shards > partitions) return 1
  let apart = 1
  for (let placed = 0; placed < shards; placed++) apart *= (partitions - placed) / partitions
  return 1 - apart
}
