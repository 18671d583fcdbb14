import type { HeatKeyspace, HeatRequest, HeatSpan, PartitionReport } from '@isotherm/local'
import type { Outage } from '../api/live-tick.js'
import type { ProcessHeat } from '../api/process-heat.js'
import type { StoredReasons, StoredState } from '../shard-map/stored-state.js'
import type { StoredCard } from '../shard-map/table-card.js'

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

/** A logical key of a shard map: its state, and what processes left about the reasons of its changes. */
export interface ShardHistory extends StoredState {
  readonly key: string
  readonly reasons: StoredReasons
}

/** What a shard map has. */
export interface StoredShardMap {
  readonly name: string
  /** Tables of early versions have none, and neither have those of other software. */
  readonly card?: StoredCard
  readonly keys: readonly ShardHistory[]
  /** Whether all of it was read. */
  readonly isWhole: boolean
}

/** The traffic of a table, in units and throttled requests a second. */
export interface TableRates {
  readonly writes: number
  readonly reads: number
  readonly throttles: number
  /** The hottest second of a partition in percent, where partitions are known. */
  readonly peak: number | undefined
}

/** What a source that is not an engine does not have. Each text says why, and what helps. */
export interface SourceOffers {
  /** The endpoint, as people know it. */
  readonly endpoint: string
  /** The width of the finest column. */
  readonly resolutionSeconds: number
  readonly noPartitions?: string
  /** Set if items and tables cannot be changed. */
  readonly readOnly?: string
  /** Tables whose shards the endpoint joins, so that their items have logical keys. */
  readonly joinedTables?: readonly string[]
  /** The process whose own keys it knows. */
  readonly process?: string
}

/** Where the console's figures come from: an engine, or what an endpoint publishes. */
export interface ConsoleSource {
  /** Whether it answers from the memory of this process, so that another question costs no requests. */
  readonly isInProcess?: boolean
  /** The clock of the figures, in milliseconds since the epoch. */
  now(): number
  /** What one partition serves in a second. */
  readonly limit: { readonly writes: number; readonly reads: number }
  /** `undefined` for an engine, which has everything. */
  readonly offers?: SourceOffers
  /** Set while the endpoint does not answer. Asked once a second while a page is open. */
  outage?(): Outage | undefined
  /** All tables of the endpoint. */
  tables(): Promise<readonly SourceTable[]>
  /** The heat of a table or index, in a span of time. */
  heat(keyspace: HeatKeyspace, request: HeatRequest): Promise<HeatSpan>
  /** The partitions of a table or index. */
  partitions(keyspace: HeatKeyspace): Promise<readonly PartitionReport[]>
  /** A table as DescribeTable has it. */
  describe(region: string, table: string): Promise<object>
  /** The hottest logical keys of one process of the library, where the console is part of it. */
  processHeat?(keyspace: HeatKeyspace): Pick<ProcessHeat, 'writes' | 'reads'>
  /** What a reader of a map has to know: how late its figures are, and which are missing. */
  notes?(keyspace: HeatKeyspace): Promise<readonly string[]>
  /** The traffic of all tables now, by name, where reading the heat of each would cost too much. */
  latest?(): Promise<ReadonlyMap<string, TableRates>>
  /** The shard map of a table that has one. */
  shardMap(region: string, table: string): Promise<StoredShardMap>
}
