import type { Access } from '../../events/event.js'

/** What the library asks about a table whose requests are throttled. */
export interface TableUsageRequest {
  /** The table's name. */
  readonly table: string
  /** Whether reads or writes are throttled. */
  readonly access: Access
  /** When the throttling began, in milliseconds since the Unix epoch. Figures from before prove nothing of it. */
  readonly since: number
  /** The current time, in milliseconds since the Unix epoch. */
  readonly now: number
}

/** The use of a whole table by all processes, over a period in which its requests were throttled. */
export interface TableUsage {
  /** The mean of the consumed read or write units per second. Indexes are not included. */
  readonly unitsPerSecond: number
  /** How many requests were throttled, by the resource that throttled them, if that is counted. */
  readonly throttles?: {
    /** By one partition. */
    readonly partition: number
    /** By the table's capacity, its maximum, or the account's limit. */
    readonly table: number
  }
}

/**
 * Returns the use of a table over a period that began at `since` or later, or `undefined` if there is none yet. It is
 * called at most twice a minute for each table and kind of access, and only while requests are throttled without a
 * reason.
 *
 * @example
 * const fromPrometheus: TableMetrics = async ({ table, access, since, now }) =>
 *   now - since < 30_000 ? undefined : { unitsPerSecond: await meanUnits(table, access, since, now) }
 */
export type TableMetrics = (request: TableUsageRequest) => Promise<TableUsage | undefined>
