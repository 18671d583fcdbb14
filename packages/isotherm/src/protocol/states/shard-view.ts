import type { Clock } from '@isotherm/runtime'
import type { ShardedTable } from '../../options/sharded-table.js'
import { inUseSince, loweredCounts } from './history.js'
import { isChanging, readableShards, type ShardState } from './shard-state.js'

/** The state of a key, as one request of a process uses it. */
export interface ShardView {
  /** Shards that new items go to. */
  readonly shards: number
  /** Shards that may hold items: also retired ones, until they are drained. */
  readonly readable: number
  /** How items may be on their way between shards; `undefined` where none moves. */
  readonly moves: Moves | undefined
  /** What the shard map said; none for a count that people chose. */
  readonly state?: ShardState
  /** Milliseconds of the process's clock. No request may be sent on this view from then on. */
  readonly validUntil: number
}

type Moves =
  /** The count of a calculated key changes: an item is at its place among `from` or among `to`. */
  | { readonly kind: 'change'; readonly from: number; readonly to: number }
  /** A random key has lost shards: items move from above each of these counts to below it. The highest count comes first. */
  | { readonly kind: 'drain'; readonly below: readonly number[] }

/** The view of a count that people chose. */
export function fixedView(shards: number): ShardView {
  return { shards, readable: shards, moves: undefined, validUntil: Number.POSITIVE_INFINITY }
}

/** The view of what the shard map said. */
export function viewOf(state: ShardState, validUntil: number): ShardView {
  return { shards: state.shards, readable: readableShards(state), moves: movesIn(state), state, validUntil }
}

function movesIn(state: ShardState): Moves | undefined {
  if (isChanging(state)) return { kind: 'change', from: state.from, to: state.to }
  return state.phase === 'retired' ? { kind: 'drain', below: loweredCounts(state.history) } : undefined
}

/** Whether items may be on their way between shards. If not, an item that is not where it was sought does not exist. */
export function hasMoves({ moves }: ShardView): boolean {
  return moves !== undefined
}

/** Whether an answer that comes now still holds. Later, an item may have moved to a place that the view does not look at. */
export function isInTime(
  { validUntil }: ShardView,
  {
    clock,
    options,
  }: { readonly clock: Pick<Clock, 'now'>; readonly options: Pick<ShardedTable, 'lateRequestMilliseconds'> },
): boolean {
  return clock.now() < validUntil + options.lateRequestMilliseconds
}

/** The count whose lowering makes items leave a shard of a random key. */
export function countBelow({ moves }: ShardView, shard: number): number {
  const below = moves?.kind === 'drain' ? moves.below.find((count) => count < shard) : undefined
  return below ?? shard - 1
}

/** Whether a shard of a random key is in use, and was so all the time from one view to a later one. */
export function stayedInUse(shard: number, from: ShardView, { shards, state }: ShardView): boolean {
  if (shard > shards) return false
  return (
    from.state === undefined ||
    state === undefined ||
    inUseSince(shard, state.history) <= from.state.lastUpdated
  )
}
