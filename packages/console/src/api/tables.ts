/** A table, as the list of tables has it. */
export interface ConsoleTable {
  readonly region: string
  readonly name: string
  readonly globalIndexes: readonly string[]
  /** The delimiter of the suffixes of its keys, or empty if none are known. */
  readonly delimiter: string
  /** The name of its shard map, if there is one. */
  readonly shardMap?: string
  /** The latest minute, in units and throttled requests a second, and the hottest second in percent of a partition. `peak` is 0 where partitions are unknown. */
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
  /** For an endpoint that is not an engine: what it does not have. Each text says why, and what helps. */
  readonly offers?: {
    readonly endpoint: string
    readonly resolutionSeconds: number
    readonly noPartitions?: string
    readonly readOnly?: string
    /** Tables whose shards the endpoint joins, so that their items have logical keys. */
    readonly joinedTables?: readonly string[]
    /** The process whose own keys it knows: see `ProcessHeat`. */
    readonly process?: string
  }
  /** Why the tables have no figures. */
  readonly noFigures?: string
}
