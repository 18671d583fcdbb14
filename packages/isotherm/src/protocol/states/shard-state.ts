import { highestCount, historyEntry, loweredCounts, type ShardHistory } from './history.js'

/**
 * What the shard map says of one logical key.
 *
 * The count of a calculated key goes *settled* -> *announced* -> *moved* -> *settled*. The count of a random key goes *settled* ->
 * *settled* when it grows, and *settled* -> *retired* -> *settled* when it falls. `README.md` in `protocol/` explains each step.
 */
export type ShardState = AtRest | Changing

/** No phase of a change: every item of a calculated key has one place. */
export type AtRest = Settled | Retired

/** The count of a calculated key is on its way from `from` to `to`. */
export type Changing = Announced | Moved

/** Something is left to do, by a driver. */
export type Unfinished = Changing | Retired

/** Nothing is left to do. */
export interface Settled extends ShardCount {
  readonly phase: 'settled'
}

/**
 * A random key has lost shards that may still hold items. They may be in use again: an item there may have the mark of a move that
 * was begun before, and readers must look for it until that move is finished.
 */
export interface Retired extends ShardCount {
  readonly phase: 'retired'
}

/** Items are created at their place among `from`, and looked for at both places. */
export interface Announced extends ShardCount {
  readonly phase: 'announced'
  readonly from: number
  readonly to: number
}

/** Items are created at their place among `to`, looked for at both places, and moved. */
export interface Moved extends ShardCount {
  readonly phase: 'moved'
  readonly from: number
  readonly to: number
}

/** The count of a key, in whichever phase. */
export interface ShardCount {
  /** Shards that writers use now. */
  readonly shards: number
  /** Epoch seconds of the last write: the optimistic lock. It grows with each write, even within one second. */
  readonly lastUpdated: number
  readonly history: ShardHistory
  /** As the last read found it. */
  readonly fleet?: FleetSigns
}

/** What the processes of a fleet record for each other. It decides nothing alone. */
export interface FleetSigns {
  /** How hot the key is in single processes: `"<epoch>:<process>:<offered>:<accepted>"`, units a second. */
  readonly heatReports: readonly string[]
  /** Epoch seconds when a process last found the key too busy for fewer shards; 0 if none did. */
  readonly lastBusy: number
}

/** The state of a key that is seen for the first time. */
export function firstState(shards: number, epochSeconds: number): AtRest {
  return atRest({ shards, lastUpdated: epochSeconds, history: [historyEntry(epochSeconds, shards)] })
}

/** A count that is in no phase of a change: retired for as long as its history has a lowered count. */
export function atRest(count: ShardCount): AtRest {
  return { ...count, phase: loweredCounts(count.history).length > 0 ? 'retired' : 'settled' }
}

/** Whether a calculated key is in one of the phases of a change. */
export function isChanging(state: ShardState): state is Changing {
  return state.phase === 'announced' || state.phase === 'moved'
}

/** Whether something is left to do: phases of a change, or retired shards to be drained. */
export function isUnfinished(state: ShardState): state is Unfinished {
  return state.phase !== 'settled'
}

/** The count that the key has, or is about to have. */
export function targetCount(state: ShardState): number {
  return isChanging(state) ? state.to : state.shards
}

/** Shards that may hold items: the shards in use, and those that were in use before. */
export function readableShards(state: ShardState): number {
  const { shards, history } = state
  // mark: readers-know-retired-shards
  return Math.max(shards, highestCount(history), isChanging(state) ? state.from : 0)
}

/**
 * The shards that items leave, in the order in which a pass empties them. With jump hashing, items move to new shards only; if
 * shards are taken away, items leave no other shard.
 *
 * The pass starts at the highest of the shards that are taken away. An item there may have the mark of an older move, to a
 * shard that was taken away since, which is always a lower one. The process that finishes that move puts the item where the
 * pass has yet to come. For a random key these are all shards above its lowest count since the last drain, including those
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
