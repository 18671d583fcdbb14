import type { ShardedTableOptions } from 'isotherm'

/** An index whose key the library spreads, as the table has to be made for it. */
export interface WorkloadIndex {
  readonly name: string
  /** The attribute that queries ask for. */
  readonly partitionKey: string
  readonly sortKey: string | undefined
  /** The default is `'N'`. */
  readonly sortType?: 'S' | 'N'
  /** Of each value, or at first if they change. */
  readonly shards: number
  readonly isDynamic?: boolean
}

/** A table that the library does not shard; its keys are strings. */
export interface PlainTable {
  readonly name: string
  readonly partitionKey: string
  readonly sortKey: string
}

/** A table that a workload wants: how it is made, and how the library shards it. */
export interface WorkloadTable {
  readonly name: string
  readonly partitionKey: string
  readonly sortKey: string
  readonly sortType: 'S' | 'N'
  readonly sharded: ShardedTableOptions
  readonly indexes: readonly WorkloadIndex[]
  /** Those whose count operators change by hand. */
  readonly operated: readonly string[]
}

/** The name of the table's shard map. */
export function shardMapOf({ name, sharded: { shardMap } }: Pick<WorkloadTable, 'name' | 'sharded'>): string {
  return (typeof shardMap === 'object' ? shardMap.table : shardMap) ?? `${name}_shard_map`
}
