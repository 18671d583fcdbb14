import type { ThroughputHistory } from './throughput-history.js'

/** The status during a change of a table or index. After the change it is ACTIVE, or gone if it was being deleted. */
export type ChangingStatus = 'CREATING' | 'UPDATING' | 'DELETING'

/** A change of status that takes time. Plain data, so that it continues after a restart. */
export interface Transition {
  readonly status: ChangingStatus
  /** When it ends, in milliseconds since the epoch. */
  readonly until: number
}

export function isOver(transition: Transition | undefined, now: number): boolean {
  return transition === undefined || transition.until <= now
}

export function statusAt(transition: Transition | undefined, now: number): ChangingStatus | 'ACTIVE' {
  return transition === undefined || isOver(transition, now) ? 'ACTIVE' : transition.status
}

/** The state of an index, apart from its definition. */
export interface IndexState {
  readonly transition?: Transition
  /** When the backfill of an index added to a table begins. Before that, the index is being set up. */
  readonly backfillsAt?: number
  /** Whether the index holds an entry for every item that belongs in it. */
  readonly complete: boolean
  /**
   * Whether the index was added to an existing table. Such a table may hold items that have no entry and could not be
   * written now, because the index rejects their values.
   */
  readonly addedLater: boolean
  /** Present for global indexes. */
  readonly throughputHistory?: ThroughputHistory
}

export function indexStatusAt({ transition, complete }: IndexState, now: number): ChangingStatus | 'ACTIVE' {
  const status = statusAt(transition, now)
  return status === 'ACTIVE' && !complete ? 'CREATING' : status
}

/** Whether the index is being backfilled at this time, or `undefined` when it is not being created. */
export function isBackfillingAt(state: IndexState, now: number): boolean | undefined {
  if (!state.addedLater || indexStatusAt(state, now) !== 'CREATING') return undefined
  return (state.backfillsAt ?? 0) <= now
}
