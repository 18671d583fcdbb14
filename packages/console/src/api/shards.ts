/** A logical key that has a shard count of its own. Times are in milliseconds since the epoch. */
export interface ShardedKey {
  readonly key: string
  readonly shards: number
  /** The count that it is on its way to. */
  readonly to?: number
  /** How far a change of the count is. `settled` is none. */
  readonly phase: string
  /** When the count changed last, or the key was first seen. */
  readonly since?: number
  /** The changes that its history has, the newest first. */
  readonly changes: readonly ShardChange[]
}

/** A change of a count. The reason is known of the latest growth and removal, and where the process reported it here. */
export interface ShardChange {
  readonly at: number
  readonly from: number
  readonly to: number
  readonly reason?: string
  /** The process that changed it, if it reports to this console. */
  readonly by?: string
  /** The write units a second before a growth because of heat. */
  readonly acceptedPerSecond?: number
  readonly throttledPerSecond?: number
}

/** The item of a shard map that belongs to the whole table. */
export interface TableCard {
  /** The options with which the table is written, by their names. */
  readonly settings: Readonly<Record<string, string>>
  /** The count of all keys that have none of their own. */
  readonly initial: number
  /** The count to which the initial one is being changed, and how far that is. */
  readonly migratingTo?: number
  readonly phase: string
  /** The number of keys whose count may not be the initial one, or all keys. */
  readonly listed: number | 'all'
  /** Grows by 1 with each write of the card. */
  readonly version: number
  readonly made?: number
  readonly isRebuilt: boolean
  readonly isRebuilding: boolean
}

/** The shard map of a table, the keys with the most shards first. */
export interface ShardMap {
  readonly version: 1
  readonly table: string
  /** The name of the shard map, or `undefined` if the table has none. */
  readonly shardMap?: string
  readonly card?: TableCard
  readonly found: number
  /** At most 1,000. */
  readonly keys: readonly ShardedKey[]
}
