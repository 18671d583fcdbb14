import type { MonthlyPrices } from '../prices/monthly-price.js'
import type { PartitionCounts } from '../sizing/partition-limits.js'
import type { PlanInput } from './plan-input.js'

/** Why a table should not be sharded, or `hot-keys` why it should. */
export type PlanReason =
  | 'hot-keys'
  /** Every key fits into a partition. */
  | 'fits'
  /** The table as a whole has too little capacity. */
  | 'table-too-small'
  /** DynamoDB splits the partition in time. */
  | 'split-for-heat'
  /** Only reads are hot. */
  | 'cache-reads'
  /** One item is hot, which no shard divides. */
  | 'single-item'
  /** The table has so few keys that another key is better. */
  | 'better-key'
  /** No shard count carries the peak. */
  | 'beyond-quota'

/** A number of partitions, and the shard counts that it needs. */
export interface PlanOption {
  readonly partitions: number
  /** Warm throughput for that many partitions. */
  readonly warmWriteUnits: number
  readonly warmReadUnits: number
  /** Shards of each hot key. */
  readonly shards: readonly number[]
  /** The odds that no partition exceeds its limit without the head-room. */
  readonly odds: number
  readonly method: 'exact' | 'simulated'
  /** The odds that at least two shards of the hottest key meet on a partition. */
  readonly meetOdds: number
  /** Of a page of the hottest key, read from all its shards. */
  readonly pageReadUnits: number
}

/** A hot key, in units a second. */
export interface PlannedKeyFigures {
  readonly key?: string
  readonly writeUnits: number
  readonly readUnits: number
  /** Parts of the traffic of the table. */
  readonly writeShare: number
  readonly readShare: number
  /** Parts of what one partition takes. */
  readonly ofPartitionWrites: number
  readonly ofPartitionReads: number
  /** In the chosen option; 1 if it is not hot. */
  readonly shards: number
}

/** What to do with a table, and the figures behind it. */
export interface Plan {
  readonly verdict: 'shard' | 'do-not-shard'
  readonly reason: PlanReason
  /** The reason and the steps, in sentences. */
  readonly because: string
  readonly steps: readonly string[]
  readonly item: { readonly bytes: number; readonly writeUnits: number; readonly pageReadUnits: number }
  readonly peak: { readonly writeUnits: number; readonly readUnits: number }
  readonly mean: { readonly writeUnits: number; readonly readUnits: number }
  readonly partitions: PartitionCounts & { readonly now: number }
  readonly keys: readonly PlannedKeyFigures[]
  /** Choices of partitions and shards, the fewest partitions first. Empty if no key is hot. */
  readonly options: readonly PlanOption[]
  readonly chosen?: PlanOption
  /** Without shards, and with those of the chosen option. */
  readonly prices: { readonly unsharded: MonthlyPrices; readonly sharded?: MonthlyPrices }
  /** The options of the library, as a module. */
  readonly code?: string
  readonly input: PlanInput
}
