import type { KeyValue } from '@isotherm/semantics'

/** Where a throttle came from: one partition, the whole table, an index; unknown when the service gave no reason and the table could not be asked. */
export type ThrottleScope = 'partition' | 'table' | 'index' | 'unknown'

/** Why the count of a key was changed. */
export type ScalingReason = 'hot' | 'collision' | 'quiet' | 'set'

interface DrainEvent {
  readonly table: string
  readonly logicalKey: string | Uint8Array
  /** Items looked at, and of them those that were moved, or found twice. */
  readonly scanned: number
  readonly moved: number
  readonly twoCopies: number
  readonly shard: number
  readonly shards: number
  readonly at: number
}

/** What the library tells while it works. `at` is milliseconds since the Unix epoch; a logical key is text or bytes. */
export type IsothermEvent =
  /** One attempt to write was refused, the `attempt`th of its call. It is retried, unless no attempt or no time is left. */
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
  /**
   * This process changed the number of shards that writers of a key use, up or down. `collision`: the last change had not
   * helped, as when the new shards are on the partition of the old ones. `quiet`: fewer are enough.
   * `set`: by hand. `announced`: the second step of a calculated key's change, announced before.
   */
  | {
      readonly type: 'scaled'
      readonly table: string
      readonly logicalKey: string | Uint8Array
      readonly from: number
      readonly to: number
      readonly reason: ScalingReason | 'announced'
      readonly at: number
    }
  /** This process began to change the count of a calculated key. Writers use it once everybody knows: see `scaled`. */
  | {
      readonly type: 'announced'
      readonly table: string
      readonly logicalKey: string | Uint8Array
      readonly from: number
      readonly to: number
      readonly reason: ScalingReason
      readonly at: number
    }
  /** Items are being moved out of shards: `shard` is the one that is gone through now, of `shards`. Every few seconds. */
  | ({ readonly type: 'draining' } & DrainEvent)
  /** A pass over all shards that items leave has come to its end. */
  | ({ readonly type: 'drained' } & DrainEvent)
  /** A change has come to its end: what was left is forgotten, and reads are cheap again. */
  | {
      readonly type: 'settled'
      readonly table: string
      readonly logicalKey: string | Uint8Array
      readonly shards: number
      readonly at: number
    }
  /**
   * Two different items were found where one should be: a request came later than `lateRequests` allows. The one in the
   * `target` shard is the item from now on. The other, in the `source` shard, is `kept` there and the change of the count
   * waits for people to look, or was `discarded` because they said so.
   */
  | {
      readonly type: 'two-copies'
      readonly table: string
      readonly logicalKey: string | Uint8Array
      readonly sortKey: KeyValue | undefined
      readonly source: number
      readonly target: number
      readonly sourceCopy: 'kept' | 'discarded'
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
        | 'change-count'
        | 'refresh-shard-map'
        | 'describe-table'
        | 'raise-capacity'
        | 'second-level-cache'
      readonly error: unknown
      readonly at: number
    }

/** Where events go. */
export type Emit = (event: IsothermEvent) => void
