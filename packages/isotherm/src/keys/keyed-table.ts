import type { PlacementKind, ShardedTable } from '../options/sharded-table.js'
import type { ShardNames } from './shard-names.js'

/** A table with the form of its stored keys. */
export interface KeyedTable {
  readonly options: ShardedTable
  readonly suffix: ShardNames
  readonly placementKind: PlacementKind
}
