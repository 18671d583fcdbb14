import type { HeatMeter } from '../capacity/heat-meter.js'
import type { KeyAttribute } from '../table/table-definition.js'
import type { IndexMeter, TableMeter } from '../table/table-meter.js'

/** The meters of all tables and global indexes. A meter continues the metrics of an earlier resource of its name. */
export interface TableMeters {
  table(region: string, name: string): TableMeter
  index(region: string, table: string, name: string): IndexMeter
  /** Called when an index was removed, or a table with all of its indexes. */
  ended(region: string, table: string, index: string | undefined, now: number): void
}

/** The recorders of heat of all tables and global indexes. */
export interface HeatMeters {
  keyspace(
    keyspace: { readonly region: string; readonly table: string; readonly index: string | undefined },
    hash: readonly KeyAttribute[],
  ): HeatMeter
}
