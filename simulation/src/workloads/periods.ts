import type { WorkloadTable } from '../world/workload-table.js'
import type { LogRead } from './key-log.js'

/** The tables of a log: one for everything, or one for each period of time. */
export interface Period {
  readonly table: WorkloadTable
  /** The first id that belongs to it. */
  readonly from: number
}

/** The table that an id belongs to, whenever it is written. */
export function tableFor(periods: readonly Period[], id: number): WorkloadTable {
  const period = periods.findLast(({ from }) => id >= from) ?? periods[0]
  if (period === undefined) throw new Error('A log has a table at least.')
  return period.table
}

/**
 * Reads a range of ids from the tables that cover it, one after the other in the order of the reading. Periods do not
 * overlap, so what comes from one is before everything that comes from the next.
 */
export async function readPeriods(
  periods: readonly Period[],
  { from, to, forward }: Pick<LogRead, 'from' | 'to' | 'forward'>,
  read: (table: WorkloadTable, from: number, to: number) => Promise<LogRead>,
): Promise<LogRead> {
  const covering = periods.flatMap(({ table, from: first }, index) => {
    const end = (periods[index + 1]?.from ?? Number.MAX_SAFE_INTEGER) - 1
    const isAsked = first <= to && end >= from
    return isAsked ? [{ table, from: Math.max(from, first), to: Math.min(to, end) }] : []
  })
  const ids: number[] = []
  let knowsUntil: number | undefined
  for (const part of forward ? covering : covering.reverse()) {
    const answer = await read(part.table, part.from, part.to)
    ids.push(...answer.ids)
    // A table that is asked later may know of more; the reading as a whole knows what its first part does.
    knowsUntil ??= answer.knowsUntil
    if (!answer.isWhole) return { ids, from, to, forward, knowsUntil, isWhole: false }
  }
  return { ids, from, to, forward, knowsUntil: knowsUntil ?? 0, isWhole: true }
}
