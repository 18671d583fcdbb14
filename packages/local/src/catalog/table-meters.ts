import type { IndexMeter, TableMeter } from '../table/table-meter.js'

/** The meters of all tables and global indexes. A meter continues the metrics of an earlier resource of its name. */
export interface TableMeters {
  table(region: string, name: string): TableMeter
  index(region: string, table: string, name: string): IndexMeter
  /** Called when an index was removed, or a table with all of its indexes. */
  ended(region: string, table: string, index: string | undefined, now: number): void
}
