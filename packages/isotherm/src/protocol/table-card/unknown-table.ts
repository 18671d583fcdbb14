import type { ScanCommandOutput } from '@aws-sdk/client-dynamodb'
import type { Random } from '@isotherm/runtime'
import type { LogicalKey } from '../../keys/key.js'
import type { ShardNames } from '../../keys/shard-names.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'
import type { ShardState } from '../states/shard-state.js'

/** A table, before it has a card. */
export interface UnknownTable {
  readonly options: ShardedTable
  readonly client: PhysicalClient
  readonly random: Random
  readonly suffix: ShardNames
}

/** The counts of the table's keys according to the options and the shard map. */
export interface DeclaredCounts {
  readonly shards: 'dynamicShards' | 'fixedShards'
  /** The count of a key of which the shard map says nothing. */
  readonly count: number
  /** Reads a key's state from the shard map. Omitted if the shard map has no keys. */
  readonly stateOf?: ((key: LogicalKey) => Promise<ShardState | undefined>) | undefined
}

/** The key attributes of an item. */
export type SampledItem = NonNullable<ScanCommandOutput['Items']>[number]
