import type { CountChange } from './count-change.js'
import { readableShards, type ShardState } from './shard-state.js'

/** What a process goes by while it carries out one request for a logical key. */
export interface ShardView {
  /** Shards that new items go to. */
  readonly shards: number
  /** Shards that may hold items: retired ones included, until they are drained. */
  readonly readable: number
  /** Only of a calculated key. */
  readonly change: CountChange | undefined
  /** Milliseconds of the process's clock. No request may be sent on this view from then on. */
  readonly validUntil: number
}

/** The view of a count that people chose. */
export function fixedView(shards: number): ShardView {
  return { shards, readable: shards, change: undefined, validUntil: Number.POSITIVE_INFINITY }
}

/** The view of what the shard map said. */
export function viewOf(state: ShardState, validUntil: number): ShardView {
  return { shards: state.shards, readable: readableShards(state), change: state.change, validUntil }
}
