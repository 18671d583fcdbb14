import { IsothermError } from '../../errors/isotherm-error.js'
import type { PeriodState } from './catalog.js'
import type { Period } from './periods.js'

/** The error for a write to a period that takes none any more, and for a read of one whose table is gone. */
export function periodClosed(table: string, { label }: Period, state: PeriodState) {
  const cure =
    state === 'dropped' || state === 'dropping'
      ? 'Read its archive with readArchive(), or leave it out of a query with skipDropped.'
      : 'Store a late item elsewhere, or give it a time of a period that is open.'
  return new IsothermError(
    'rotation.closed',
    `The period ${label} of ${table} is ${state}. ${cure} Nothing was written.`,
    { table, period: label, state },
  )
}

/** The error for an item whose time is too far from now to make a table for it. */
export function outOfRange(table: string, { label }: Period, first: string, last: string) {
  return new IsothermError(
    'rotation.out-of-range',
    `The period ${label} of ${table} has no table, and tables are made for the periods from ${first} to ${last}. Check the time of the item, or raise rotation.maxPast or rotation.maxFuture. Nothing was written.`,
    { table, period: label },
  )
}

/** The error for a table that cannot be used. `state` completes "the table ...". */
export function noTable(table: string, { label }: Period, state: string) {
  return new IsothermError('rotation.no-table', `The table of the period ${label} of ${table} ${state}`, {
    table,
    period: label,
  })
}

/** The error for a step that the period is not ready for. `rule` says when it is. */
export function notReady(table: string, { label }: Period, state: PeriodState | 'unknown', rule: string) {
  return new IsothermError(
    'rotation.not-ready',
    `The period ${label} of ${table} is ${state}; ${rule} Nothing was changed.`,
    { table, period: label, state },
  )
}

/** The error for an archive that does not have what its table has. */
export function archiveDiffers(table: string, { label }: Period, archived: string, stored: string) {
  return new IsothermError(
    'rotation.archive-differs',
    `The archive of the period ${label} of ${table} has ${archived}, and it must have ${stored}. The table was not dropped. Archive the period again.`,
    { table, period: label },
  )
}

/** The error for two processes that archive the same period. */
export function archivedTwice(table: string, { label }: Period) {
  return new IsothermError(
    'rotation.contended',
    `Another process archives the period ${label} of ${table}. Let one process do it, and call again if that one has ended.`,
    { table, period: label },
  )
}

/** The error for a cursor with which no page of a query ends. */
export function foreignCursor(table: string, cursor: unknown, cause?: unknown) {
  const shown = typeof cursor === 'string' ? JSON.stringify(cursor) : `of the type ${typeof cursor}`
  return new IsothermError(
    'rotation.cursor',
    `The cursor ${shown} is not one that a query of this key and range of ${table} in this direction has returned. Pass back the cursor of the page before, with the same key, range and direction.`,
    { table, cursor },
    { cause },
  )
}

/** The error for a catalog that lists a table which is not that of a period of this length. */
export function foreignPeriod(
  { table, catalog }: { readonly table: string; readonly catalog: string },
  found: string,
) {
  return new IsothermError(
    'rotation.catalog',
    `The catalog ${catalog} lists ${found} for ${table}, which is not a table of the given rotation.period. Give each process the period with which the tables were made. For another period, name another rotation.table.`,
    { catalog },
  )
}
