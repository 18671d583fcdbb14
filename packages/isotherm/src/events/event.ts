/** Where a throttle came from: one partition, the whole table, an index; unknown when the service gave no reason and the table could not be asked. */
export type ThrottleScope = 'partition' | 'table' | 'index' | 'unknown'

/** What the library tells while it works. `at` is milliseconds since the Unix epoch; a logical key is text or bytes. */
export type IsothermEvent =
  /** One attempt to write was refused. It is retried, unless `attempt` was the last. */
  | {
      readonly type: 'throttled'
      readonly table: string
      readonly logicalKey: string | Uint8Array
      readonly shard: number
      readonly attempt: number
      readonly scope: ThrottleScope
      readonly reasons: readonly string[]
      readonly at: number
    }
  /** This process changed the number of shards of a key. */
  | {
      readonly type: 'scaled'
      readonly table: string
      readonly logicalKey: string | Uint8Array
      readonly from: number
      readonly to: number
      readonly at: number
    }
  /** A key is throttled and has as many shards as `max` allows. Told once a cooldown. */
  | {
      readonly type: 'shard-limit-reached'
      readonly table: string
      readonly logicalKey: string | Uint8Array
      readonly shards: number
      readonly at: number
    }
  /** The table itself is too small, or the account's or its own maximum is reached: shards cannot help. Told at most once a second. */
  | {
      readonly type: 'table-throttled'
      readonly table: string
      readonly reasons: readonly string[]
      readonly at: number
    }
  /** This process raised the table's provisioned write capacity. Units are write units a second. */
  | {
      readonly type: 'capacity-raised'
      readonly table: string
      readonly from: number
      readonly to: number
      readonly at: number
    }
  /** Work in the background did not succeed; it is tried again when there is a reason to. */
  | {
      readonly type: 'failed'
      readonly table: string
      readonly task:
        | 'scale'
        | 'refresh-shard-map'
        | 'describe-table'
        | 'raise-capacity'
        | 'second-level-cache'
      readonly error: unknown
      readonly at: number
    }

/** Where events go. */
export type Emit = (event: IsothermEvent) => void
