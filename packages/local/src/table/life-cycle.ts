import type { ThroughputHistory } from './throughput-history.js'

/** What a table or index is going through; once it is over, it is ACTIVE, or gone if it was being deleted. */
export type ChangingStatus = 'CREATING' | 'UPDATING' | 'DELETING'

/** A change of state that takes a while. Plain data, so that it goes on where it was after a restart. */
export interface Transition {
  readonly status: ChangingStatus
  /** When it is over, in milliseconds since the epoch. */
  readonly until: number
}

export function isOver(transition: Transition | undefined, now: number): boolean {
  return transition === undefined || transition.until <= now
}

export function statusAt(transition: Transition | undefined, now: number): ChangingStatus | 'ACTIVE' {
  return transition === undefined || isOver(transition, now) ? 'ACTIVE' : transition.status
}

/** What an index is going through besides its transition. */
export interface IndexState {
  readonly transition?: Transition
  /** When the filling begins of an index that was added to a table; before that, the index is being set up. */
  readonly backfillsAt?: number
  /** Whether every item of the table that belongs in the index is there. */
  readonly complete: boolean
  /**
   * Whether the table was there before the index. It may hold items then that could not be written now, because the
   * index refuses their values, and that have no entry.
   */
  readonly addedLater: boolean
  /** Of a global index. */
  readonly throughputHistory?: ThroughputHistory
}

export function indexStatusAt({ transition, complete }: IndexState, now: number): ChangingStatus | 'ACTIVE' {
  const status = statusAt(transition, now)
  return status === 'ACTIVE' && !complete ? 'CREATING' : status
}

/** Whether the index is being filled just now; nothing when it is not being created. */
export function isBackfillingAt(state: IndexState, now: number): boolean | undefined {
  if (!state.addedLater || indexStatusAt(state, now) !== 'CREATING') return undefined
  return (state.backfillsAt ?? 0) <= now
}
