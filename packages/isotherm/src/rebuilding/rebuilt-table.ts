import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { LogicalKey } from '../keys/key.js'
import type { ShardNames } from '../keys/shard-names.js'
import type { ShardedTable } from '../options/sharded-table.js'

/** A value of an index with dynamic counts, as an item of the table has it. */
export interface IndexedValue {
  readonly key: LogicalKey
  readonly shard: number
  readonly initial: number
}

/** A table whose shard map is rebuilt. */
export interface RebuiltTable {
  readonly options: ShardedTable
  readonly suffix: ShardNames
  readonly initial: number
  /** A key of the type that the table's keys have. */
  readonly like: LogicalKey
  /** The attributes in which indexes with dynamic counts have their shards, and the index's own. */
  readonly indexAttributes: readonly string[]
  readonly indexedValues: (item: Readonly<Record<string, AttributeValue>>) => readonly IndexedValue[]
}
