import type { Clock, Random } from '@isotherm/runtime'
import type { Emit } from '../events/event.js'
import type { KnownIndex } from '../indexes/index-options.js'
import type { ShardedTable } from '../options/sharded-table.js'
import type { OpenSharedStates } from '../protocol/index.js'
import type { CapacityRaise } from '../scaling/capacity-raise.js'
import type { TableMetrics } from '../scaling/sensing/table-usage.js'
import type { DynamicShards, FixedShards } from '../scaling/shards.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import type { CalculatedSuffix } from '../writes/calculated.js'
import type { HandMade } from '../writes/hand-made.js'

/** One table's checked options with all defaults, including the values that contain code. */
export interface ParsedTable extends ShardedTable {
  readonly suffix: 'none' | 'random' | CalculatedSuffix
  readonly shards: FixedShards | DynamicShards
  /** Present for a table that was sharded by hand. It replaces the delimiter and `adopt`. */
  readonly handMade: HandMade | undefined
  /** The client of the shard map; `undefined` if it is that of the table. */
  readonly shardMapClient: PhysicalClient | undefined
  /** At most one for reads, and one for writes. */
  readonly capacity: readonly CapacityRaise[]
  readonly indexes: ReadonlyMap<string, KnownIndex>
}

/** The checked options with all defaults. */
export interface ParsedOptions {
  readonly tables: readonly ParsedTable[]
  readonly openSharedStates: OpenSharedStates | undefined
  readonly tableMetrics: TableMetrics | undefined
  readonly clock: Clock
  readonly random: Random
  readonly emit: Emit
}
