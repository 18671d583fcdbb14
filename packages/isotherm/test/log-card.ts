import type { ShardedTable } from '../src/options/sharded-table.js'
import { firstState } from '../src/protocol/states/shard-state.js'
import type { TableCard } from '../src/protocol/table-card/table-card.js'

/** The checked options of a table, as far as its card depends on them. */
export const LOG_TABLE = {
  name: 'log',
  shardMap: 'map',
  partitionKey: 'pk',
  sortKey: 'sk',
  suffix: 'random',
  delimiter: '_',
  adopt: false,
} as unknown as ShardedTable

/** Who made the card of this table. */
export const LOG_ORIGIN = { made: '7:name', table: 'log', shardMap: 'map' }

/** A card that lists no key: all keys have one shard. */
export const EMPTY_CARD: TableCard = {
  settings: {},
  listed: new Set(),
  initial: firstState(1, 0),
  acceptedInitials: new Set(),
  migration: undefined,
  version: 1,
}
