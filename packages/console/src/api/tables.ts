/** A table, as the list of tables has it. */
export interface ConsoleTable {
  readonly region: string
  readonly name: string
  readonly globalIndexes: readonly string[]
  /** The delimiter of the suffixes of its keys, or empty if none are known. */
  readonly delimiter: string
  /** The latest minute, in units and throttled requests a second, and the hottest second in percent of a partition. */
  readonly writes: number
  readonly reads: number
  readonly throttles: number
  readonly peak: number
}

/** All tables, those with the hottest key first. */
export interface TableList {
  readonly version: 1
  readonly now: number
  readonly tables: readonly ConsoleTable[]
}
