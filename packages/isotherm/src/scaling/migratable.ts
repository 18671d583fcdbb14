import type { LogicalKey } from '../keys/key.js'
import type { MovingTable, ShardMap, TableCards } from '../protocol/index.js'
import type { MoveCostReader } from './coming-down/move-costs.js'
import type { KeyShards } from './key-shards.js'

/** What a migration needs of a table whose processes go by a card. */
export interface Migratable {
  readonly table: MovingTable
  readonly cards: TableCards
  readonly shardMap: ShardMap
  readonly costs: MoveCostReader
  /** The rate of moves in the background; `undefined` to use the capacity that the partitions have to spare. */
  readonly unitsPerSecond: number | undefined
  /** Aborts when the client is destroyed. */
  readonly signal: AbortSignal
  readonly shardsOf: (key: LogicalKey) => KeyShards
}
