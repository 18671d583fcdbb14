import type { PlacementKind, ShardedTable } from '../options/sharded-table.js'
import type { Suffix } from './suffix.js'

/** A table with the form of its stored keys. */
export interface KeyedTable {
  readonly options: ShardedTable
  readonly suffix: Suffix
  readonly placementKind: PlacementKind
}
