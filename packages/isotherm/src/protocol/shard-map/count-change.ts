import { boundedHistory, loweredCounts, readableShards, type ShardState } from './shard-state.js'

/**
 * A change of a calculated key's count, on its way.
 *
 * *settled(N)* -> *announced*: items are created at their place among `from` and looked for at both -> *moved*: they are
 * created at their place among `to`, looked for at both, and moved -> *settled(N')*. No phase is skipped, and each lasts
 * until no process can be in the one before, so any two processes are at most one phase apart.
 */
export interface CountChange {
  readonly phase: 'announced' | 'moved'
  readonly from: number
  readonly to: number
}

/** Everybody shall look at the places of `to` too, before anything is there. */
export function announced(state: ShardState, to: number, epochSeconds: number): ShardState {
  if (state.change !== undefined) throw new Error('A count changes once at a time.')
  const lastUpdated = later(state, epochSeconds)
  // mark: change-begins-announced
  return {
    shards: state.shards,
    lastUpdated,
    history: [...state.history, `${lastUpdated}:${to}`],
    change: { phase: 'announced', from: state.shards, to },
  }
}

/** Everybody looks at the new places; from now on items are created there. */
export function moved(state: ShardState, epochSeconds: number): ShardState {
  if (state.change?.phase !== 'announced')
    throw new Error('Only an announced change can begin to move items.')
  const change: CountChange = { ...state.change, phase: 'moved' }
  return { ...state, shards: change.to, lastUpdated: later(state, epochSeconds), change }
}

/**
 * Nothing is left in the old places, and nothing will come there: they are forgotten. Counts that the key has grown from hold no
 * places of their own; they stay in the history, which tells how fast the key has grown.
 */
export function settled(state: ShardState, epochSeconds: number): ShardState {
  if (state.change?.phase === 'announced')
    throw new Error('A change cannot settle before its items are moved.')
  const lastUpdated = later(state, epochSeconds)
  const entry = `${lastUpdated}:${state.shards}`
  const hasGrown = state.change !== undefined && readableShards(state) === state.shards
  const history = hasGrown ? boundedHistory([...state.history, entry]) : [entry]
  return { shards: state.shards, lastUpdated, history, change: undefined }
}

/** The same once more, at a later time: tells the others that somebody is at work on it. */
export function renewed(state: ShardState, epochSeconds: number): ShardState {
  return { ...state, lastUpdated: later(state, epochSeconds) }
}

/**
 * What is left to do: a change of a calculated key in one of its phases, or retired shards of a random key, which readers go on
 * asking until they are drained. Those that are back in use are part of it: an item there may have the mark of a move that was begun
 * before, and readers must know of it until the move is finished.
 */
export function unfinished(state: ShardState): 'announced' | 'moved' | 'retired' | undefined {
  if (state.change !== undefined) return state.change.phase
  return loweredCounts(state).length > 0 ? 'retired' : undefined
}

/**
 * The shards that items leave, in the order in which they are to be emptied. With jump hashing, items go to new shards only, so
 * when shards are taken away no other is left.
 *
 * Of shards that were taken away, the last one comes first: an item may have the mark of an older move there, to a shard that
 * has been taken away since, always a lower one. Whoever finishes that move puts it where the pass has yet to come. A random
 * key's are all that ever were above one of its counts, those that are in use again among them.
 */
export function sourceShards(state: ShardState): readonly number[] {
  const { shards, change } = state
  if (change !== undefined && change.from < change.to) return numbered(1, change.from)
  const kept = change?.to ?? loweredCounts(state).at(-1) ?? shards
  // mark: last-shard-is-emptied-first
  return numbered(kept + 1, change?.from ?? readableShards(state)).reverse()
}

function numbered(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** Two changes never have the same time, or the lock on it would not hold. */
export function later({ lastUpdated }: ShardState, epochSeconds: number): number {
  return Math.max(epochSeconds, lastUpdated + 1)
}
