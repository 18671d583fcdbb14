import type { FleetSigns } from './fleet-signs.js'
import { highestCount, historyEntry, loweredCounts, type ShardHistory } from './history.js'

/**
 * The state of one logical key in the shard map.
 *
 * A calculated key passes through *settled* -> *announced* -> *moved* -> *draining* -> *settled*. A random key stays *settled* when its count
 * grows, and passes through *settled* -> *retired* -> *settled* when its count falls. `README.md` in `protocol/` explains each
 * step.
 */
export type ShardState = AtRest | Changing

/** The count is not changing: every item of a calculated key has one place. */
export type AtRest = Settled | Retired

/** The count of a calculated key is changing from `from` to `to`. */
export type Changing = Announced | Moved | Draining

/** A driver has work to do. */
export type Unfinished = Changing | Retired

/** No work is left. */
export interface Settled extends ShardCount {
  readonly phase: 'settled'
}

/**
 * The count of a random key was lowered, and the retired shards may still hold items. A retired shard may be in use again. An item
 * there may have the mark of an earlier move, and readers must look for the item until that move is finished.
 */
export interface Retired extends ShardCount {
  readonly phase: 'retired'
}

/** Items are created at their place among `from`, and read at both places. */
export interface Announced extends ShardCount {
  readonly phase: 'announced'
  readonly from: number
  readonly to: number
}

/** Items are read at both places, and moved. They are created at their place among `to`, but other processes may still create at the old place. */
export interface Moved extends ShardCount {
  readonly phase: 'moved'
  readonly from: number
  readonly to: number
}

/** No process creates items at the old places any more. A pass over them proves that they are empty. */
export interface Draining extends ShardCount {
  readonly phase: 'draining'
  readonly from: number
  readonly to: number
}

/** The members that a state has in every phase. */
export interface ShardCount {
  /** Shards that writers use now. */
  readonly shards: number
  /** Epoch seconds of the last write, used as an optimistic lock. It increases with each write, even within one second. */
  readonly lastUpdated: number
  readonly history: ShardHistory
  /** The signs that the last read found. */
  readonly fleet?: FleetSigns
  /**
   * If present, the key has no count of its own. The state repeats the initial one, as the card had it at this time (its `lastUpdated`).
   */
  readonly initialAsOf?: number
}

/** The state of a key that is seen for the first time. */
export function firstState(shards: number, epochSeconds: number): AtRest {
  return atRest({ shards, lastUpdated: epochSeconds, history: [historyEntry(epochSeconds, shards)] })
}

/** Returns the state of a key without a count of its own: it repeats the initial one. */
export function repeatedState(initial: ShardState, epochSeconds: number): ShardState {
  const initialAsOf = initial.lastUpdated
  // A table that was never migrated has an initial state without a time.
  const state = initialAsOf === 0 ? firstState(initial.shards, epochSeconds) : initial
  return { ...state, lastUpdated: Math.max(epochSeconds, initialAsOf), initialAsOf }
}

/**
 * Returns what a state says now. A key without a count of its own has the initial one, whatever its item repeats.
 * @param initial the initial state that the card has now; `undefined` if no card was read
 */
export function currentState(
  state: ShardState | undefined,
  initial: ShardState | undefined,
): ShardState | undefined {
  if (isOwn(state) || state === undefined || initial === undefined) return state
  if (state.initialAsOf === initial.lastUpdated) return state
  const { lastUpdated, fleet } = state
  return { ...repeatedState(initial, lastUpdated), lastUpdated, ...(fleet === undefined ? {} : { fleet }) }
}

/** Whether the key has a count of its own. A state that repeats the initial one says nothing that the card does not say. */
export function isOwn(
  state: ShardState | undefined,
): state is ShardState & { readonly initialAsOf?: undefined } {
  return state !== undefined && state.initialAsOf === undefined
}

/** Whether two states at rest say the same of where items are. */
export function isSameCount(one: ShardState, other: ShardState): boolean {
  return (
    !isUnfinished(one) &&
    !isUnfinished(other) &&
    one.shards === other.shards &&
    readableShards(one) === readableShards(other)
  )
}

/** Returns the state of a count that is not changing: retired while its history has a lowered count, otherwise settled. */
export function atRest(count: ShardCount): AtRest {
  return { ...count, phase: loweredCounts(count.history).length > 0 ? 'retired' : 'settled' }
}

/** Whether a calculated key is in one of the phases of a change. */
export function isChanging(state: ShardState): state is Changing {
  return state.phase === 'announced' || state.phase === 'moved' || state.phase === 'draining'
}

/** Whether work is left: a change is in progress, or retired shards must be drained. */
export function isUnfinished(state: ShardState): state is Unfinished {
  return state.phase !== 'settled'
}

/** The count that the key has, or is about to have. */
export function targetCount(state: ShardState): number {
  return isChanging(state) ? state.to : state.shards
}

/** The number of shards that may hold items: the shards in use, and those that were in use before. */
export function readableShards(state: ShardState): number {
  const { shards, history } = state
  // mark: readers-know-retired-shards
  return Math.max(shards, highestCount(history), isChanging(state) ? state.from : 0)
}

/**
 * Returns the shards that items leave, in the order in which a pass empties them. With jump hashing, items move only to new shards
 * when a count grows, and leave only the removed shards when it falls.
 *
 * When shards are removed, the pass starts at the highest one. An item there may have the mark of an older move to a shard that
 * was removed later. That shard always has a lower number, so the process that finishes the move puts the item where the pass has
 * not been yet. For a random key, the removed shards are all shards above its lowest count since the last drain, including those
 * that are in use again.
 */
export function sourceShards(state: ShardState): readonly number[] {
  if (isChanging(state) && state.from < state.to) return numbered(1, state.from)
  const kept = isChanging(state) ? state.to : (loweredCounts(state.history).at(-1) ?? state.shards)
  // mark: last-shard-is-emptied-first
  return numbered(kept + 1, isChanging(state) ? state.from : readableShards(state)).reverse()
}

function numbered(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
