import type { TableState } from './table-state.js'
import type { IndexState, Transition } from './transition.js'

/**
 * A stored state whose changes end at a time at the latest. The clock of the process that wrote it may have been ahead of the
 * present one: fast time begins anew with each process.
 */
export function endingBy(state: TableState, latest: number): TableState {
  const { transition, timeToLive, warmingUntil, onDemandSwitches } = state
  const atMost = (time: number) => Math.min(time, latest)
  return {
    ...state,
    ...ended(transition, atMost),
    ...(timeToLive === undefined ? {} : { timeToLive: { ...timeToLive, until: atMost(timeToLive.until) } }),
    ...(warmingUntil === undefined ? {} : { warmingUntil: mapped(warmingUntil, atMost) }),
    ...(onDemandSwitches === undefined ? {} : { onDemandSwitches: onDemandSwitches.map(atMost) }),
    indexes: mapped(state.indexes, (index): IndexState => {
      const { transition, backfillsAt } = index
      return {
        ...index,
        ...ended(transition, atMost),
        ...(backfillsAt === undefined ? {} : { backfillsAt: atMost(backfillsAt) }),
      }
    }),
    insights: mapped(state.insights, (insights) => ({ ...insights, until: atMost(insights.until) })),
  }
}

function ended(
  transition: Transition | undefined,
  atMost: (time: number) => number,
): { readonly transition?: Transition } {
  return transition === undefined ? {} : { transition: { ...transition, until: atMost(transition.until) } }
}

function mapped<T>(
  members: { readonly [name: string]: T },
  change: (member: T) => T,
): { readonly [name: string]: T } {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]))
}
