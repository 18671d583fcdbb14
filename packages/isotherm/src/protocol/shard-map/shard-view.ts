import type { CountChange } from './count-change.js'
import { inUseSince, loweredCounts, readableShards, type ShardState } from './shard-state.js'

/** What a process goes by while it carries out one request for a logical key. */
export interface ShardView {
  /** Shards that new items go to. */
  readonly shards: number
  /** Shards that may hold items: retired ones included, until they are drained. */
  readonly readable: number
  /** Only of a calculated key. */
  readonly change: CountChange | undefined
  /** Only of a random key: counts that items may be on their way below, the highest first. None if left out. */
  readonly lowered?: readonly number[]
  /** What the shard map said; none of a count that people chose. */
  readonly state?: ShardState
  /** Milliseconds of the process's clock. No request may be sent on this view from then on. */
  readonly validUntil: number
}

/** The view of a count that people chose. */
export function fixedView(shards: number): ShardView {
  return { shards, readable: shards, change: undefined, validUntil: Number.POSITIVE_INFINITY }
}

/** The view of what the shard map said. */
export function viewOf(state: ShardState, validUntil: number): ShardView {
  const { shards, change } = state
  const view = { shards, readable: readableShards(state), change, state, validUntil }
  const lowered = change === undefined ? loweredCounts(state) : []
  return lowered.length === 0 ? view : { ...view, lowered }
}

/** Whether a shard of a random key is in use, and was all the time from one view to a later one. */
export function stayedInUse(shard: number, from: ShardView, { shards, state }: ShardView): boolean {
  if (shard > shards) return false
  return from.state === undefined || state === undefined || inUseSince(shard, state) <= from.state.lastUpdated
}
