import type { KeyedTable } from '../keys/keyed-table.js'
import type { KnownIndex } from './index-options.js'

/** A table, whether it is sharded itself or not, and the indexes that its options name. */
export interface TableWithIndexes extends KeyedTable {
  readonly indexes: ReadonlyMap<string, KnownIndex>
}
