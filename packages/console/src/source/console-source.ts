import type { HeatKeyspace, HeatRequest, HeatSpan, PartitionReport } from '@isotherm/local'

/** A table that the console can show. */
export interface SourceTable {
  readonly region: string
  readonly name: string
  readonly globalIndexes: readonly string[]
  /** The delimiter of the suffixes of its keys, or empty if none are known. */
  readonly delimiter: string
  /** The table of its shard counts, if there is one. */
  readonly shardMap: string | undefined
}

/** The counts that a logical key has had, the oldest first. */
export interface ShardHistory {
  readonly key: string
  readonly counts: readonly { readonly at: number; readonly count: number }[]
}

/** Where the console's figures come from: an engine, or what an endpoint publishes. */
export interface ConsoleSource {
  /** Whether it answers from the memory of this process, so that another question costs no requests. */
  readonly isInProcess?: boolean
  /** The clock of the figures, in milliseconds since the epoch. */
  now(): number
  /** What one partition serves in a second. */
  readonly limit: { readonly writes: number; readonly reads: number }
  tables(): Promise<readonly SourceTable[]>
  heat(keyspace: HeatKeyspace, request: HeatRequest): Promise<HeatSpan>
  partitions(keyspace: HeatKeyspace): Promise<readonly PartitionReport[]>
  /** A table as DescribeTable has it. */
  describe(region: string, table: string): Promise<object>
  /** The histories in the shard map of a table. */
  shardHistories(region: string, table: string): Promise<readonly ShardHistory[]>
}
