import type { KeyedTable } from '../keys/keyed-table.js'
import type { IndexCheck } from './index-check.js'
import type { TableIndexCounts } from './index-counts.js'
import type { KnownIndex } from './index-options.js'

/** A table, sharded or not, with the indexes in its options. */
export interface TableWithIndexes extends KeyedTable {
  readonly indexes: ReadonlyMap<string, KnownIndex>
  readonly indexCounts: TableIndexCounts
  /** The comparisons of indexes with the options, by the name of the index. */
  readonly indexChecks: ReadonlyMap<string, IndexCheck>
}
