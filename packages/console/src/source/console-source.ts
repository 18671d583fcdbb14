import type { HeatKeyspace, HeatRequest, HeatSpan, PartitionReport } from '@isotherm/local'

/** A table that the console can show. */
export interface SourceTable {
  readonly region: string
  readonly name: string
  readonly globalIndexes: readonly string[]
  /** The delimiter of the suffixes of its keys, or empty if none are known. */
  readonly delimiter: string
}

/** Where the console's figures come from: an engine, or what an endpoint publishes. */
export interface ConsoleSource {
  /** The clock of the figures, in milliseconds since the epoch. */
  now(): number
  /** What one partition serves in a second. */
  readonly limit: { readonly writes: number; readonly reads: number }
  tables(): readonly SourceTable[]
  heat(keyspace: HeatKeyspace, request: HeatRequest): HeatSpan
  partitions(keyspace: HeatKeyspace): readonly PartitionReport[]
  /** A table as DescribeTable has it. */
  describe(region: string, table: string): Promise<object>
}
