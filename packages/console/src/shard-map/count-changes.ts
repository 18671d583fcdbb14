import type { StoredReasons, StoredState } from './stored-state.js'

/** Why a process changed a count, as far as the shard map says. */
type StoredReason = 'hot' | 'quiet'

/** A change of the count of a key. Times are in milliseconds since the epoch. */
export interface CountChange {
  readonly at: number
  readonly from: number
  readonly to: number
  readonly reason?: StoredReason
  /** The write units a second before a growth because of heat. */
  readonly acceptedPerSecond?: number
  readonly throttledPerSecond?: number
}

/**
 * The changes in a history, the oldest first. Processes leave the reason of the last growth and of the last removal, so
 * only these two have one.
 */
export function countChanges(
  { counts }: Pick<StoredState, 'counts'>,
  { growth, peak }: StoredReasons,
): readonly CountChange[] {
  const changes: CountChange[] = counts.flatMap(({ at, count: to }, index) => {
    const from = counts[index - 1]?.count
    return from === undefined || from === to ? [] : [{ at, from, to }]
  })
  const explain = (of: (change: CountChange) => boolean, reason: Partial<CountChange>) => {
    const index = changes.findLastIndex(of)
    const change = changes[index]
    if (change !== undefined) changes[index] = { ...change, ...reason }
  }
  if (growth !== undefined) {
    const { from, to, acceptedPerSecond, throttledPerSecond } = growth
    explain((change) => change.from === from && change.to === to, {
      reason: 'hot',
      acceptedPerSecond,
      throttledPerSecond,
    })
  }
  if (peak !== undefined) explain(({ from, to }) => from === peak && to < from, { reason: 'quiet' })
  return changes
}
