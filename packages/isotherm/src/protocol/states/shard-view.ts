import type { Clock } from '@isotherm/runtime'
import type { ShardedTable } from '../../options/sharded-table.js'
import { countOf, inUseSince, loweredCounts } from './history.js'
import { isChanging, readableShards, type ShardState } from './shard-state.js'

/** The state of a key as one request uses it. */
export interface ShardView {
  /** Number of shards that new items go to. */
  readonly shards: number
  /** Number of shards that may hold items. It includes retired shards until they are drained. */
  readonly readable: number
  /** How items may be moving between shards; `undefined` if none moves. */
  readonly moves: Moves | undefined
  /** The state in the shard map; `undefined` for a fixed count. */
  readonly state?: ShardState
  /** The time, in milliseconds of the process's clock, from which no request may be sent on this view. */
  readonly validUntil: number
}

type Moves =
  /** The count of a calculated key is changing: an item is at its place among `from` or among `to`. */
  | { readonly kind: 'change'; readonly from: number; readonly to: number }
  /** The count of a random key was lowered: items move from above each of these counts to below it. The highest comes first. */
  | { readonly kind: 'drain'; readonly below: readonly number[] }

/** Returns the view of a fixed count, which never expires. */
export function fixedView(shards: number): ShardView {
  return { shards, readable: shards, moves: undefined, validUntil: Number.POSITIVE_INFINITY }
}

/** Returns the same view for a shorter time. */
export function limitedView(view: ShardView, validUntil: number): ShardView {
  return validUntil < view.validUntil ? { ...view, validUntil } : view
}

/**
 * Whether the view by which a request has asked the shards was right: one that was read after the request began is of the same state, in
 * which no item moves. So nothing has changed in between.
 *
 * The first view must still be valid. A key without a count of its own may get one, and be without one again, as if nothing had
 * happened.
 */
export function isConfirmed(
  guess: ShardView,
  known: ShardView,
  { clock }: { readonly clock: Pick<Clock, 'now'> },
): boolean {
  return clock.now() < guess.validUntil && isSameView(guess, known)
}

function isSameView(a: ShardView, b: ShardView): boolean {
  // mark: guess-is-compared
  return (
    a.shards === b.shards &&
    a.readable === b.readable &&
    a.moves === undefined &&
    b.moves === undefined &&
    a.state?.lastUpdated === b.state?.lastUpdated
  )
}

/** Returns the view of a state from the shard map. */
export function viewOf(state: ShardState, validUntil: number): ShardView {
  return { shards: state.shards, readable: readableShards(state), moves: movesIn(state), state, validUntil }
}

function movesIn(state: ShardState): Moves | undefined {
  if (isChanging(state)) return { kind: 'change', from: state.from, to: state.to }
  return state.phase === 'retired' ? { kind: 'drain', below: loweredCounts(state.history) } : undefined
}

/** Whether items may be moving between shards. If not, an item that is not at its place does not exist. */
export function hasMoves({ moves }: ShardView): boolean {
  return moves !== undefined
}

/**
 * Whether no process creates items at a place that items leave. Then an item that is not there never comes back, and a creation
 * needs no check of that place.
 */
export function isPastCreations({ state }: ShardView): boolean {
  return state?.phase === 'draining'
}

/** Whether a writer may move an item that it finds at a place that items leave. */
export function mayMoveOnWrite({ state }: ShardView): boolean {
  return state?.phase === 'moved' || state?.phase === 'draining'
}

/** Whether a response that arrives now is still valid. Later, an item may have moved to a place that the view does not include. */
export function isInTime(
  { validUntil }: ShardView,
  {
    clock,
    options,
  }: { readonly clock: Pick<Clock, 'now'>; readonly options: Pick<ShardedTable, 'lateRequestMilliseconds'> },
): boolean {
  return clock.now() < validUntil + options.lateRequestMilliseconds
}

/** Returns the lowered count because of which items leave a shard of a random key. */
export function countBelow({ moves }: ShardView, shard: number): number {
  const below = moves?.kind === 'drain' ? moves.below.find((count) => count < shard) : undefined
  return below ?? shard - 1
}

/**
 * Whether a shard of a random key is in use, and was in use without interruption from one view to a later one.
 *
 * The history of a key begins when it gets a count of its own, and ends when it has the initial one again, whose history is older. Either
 * may be between the two views. But it has every count since for as long as requests of the first view can arrive.
 */
export function stayedInUse(
  shard: number,
  from: ShardView,
  { shards, state }: ShardView,
  table: Parameters<typeof isInTime>[1],
): boolean {
  if (shard > shards) return false
  return (
    from.state === undefined ||
    state === undefined ||
    (from.state.lastUpdated <= state.lastUpdated &&
      inUseSince(shard, state.history) <= from.state.lastUpdated) ||
    (isInTime(from, table) && state.history.every((entry) => countOf(entry) >= shard))
  )
}
