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
  /** The changes that its history has, the newest first. The reason is known where the process reported it here. */
  readonly changes: readonly {
    readonly at: number
    readonly from: number
    readonly to: number
    readonly reason?: string
  }[]
}

/** The shard map of a table, the keys with the most shards first. */
export interface ShardMap {
  readonly version: 1
  readonly table: string
  /** The name of the shard map, or `undefined` if the table has none. */
  readonly shardMap?: string
  readonly found: number
  /** At most 1,000. */
  readonly keys: readonly ShardedKey[]
}
