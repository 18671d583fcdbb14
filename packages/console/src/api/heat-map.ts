/** The API's version, which is part of every path. Members may be added within a version, and none changes its meaning. */
export const API_VERSION = 1

/** How the rows of a heat map are formed. */
export type HeatMapGrouping = 'key' | 'partition' | 'prefix'

/** What a heat map is asked for. */
export interface HeatMapRequest {
  readonly region: string
  readonly table: string
  readonly index: string | undefined
  readonly by: HeatMapGrouping
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  /** The maximum number of columns. */
  readonly columns: number
  /** The maximum number of rows, besides those inside of rows that are open. */
  readonly rows: number
  /** The delimiter of suffixes: keys `a_1` and `a_2` are shards of the logical key `a`. Empty: keys have no suffix. */
  readonly delimiter: string
  /** The end of a prefix, with `by: 'prefix'`. */
  readonly separator: string
  /** The ids of rows that are open, so that their members have rows, too. */
  readonly open: readonly string[]
  /** Only keys from this one on, in the order of the rows. */
  readonly firstKey: string | undefined
  /** Only keys up to this one. */
  readonly lastKey: string | undefined
  /** Only cells of columns that end after this time, in milliseconds since the epoch. Sums are of the whole span. */
  readonly after: number
}

/**
 * A row. Its heat is that of its hottest member, because each member may be in a partition of its own. Its units are
 * those of all members.
 *
 * - `key`: a logical key. It `folds` if it has several shards.
 * - `shard`: a shard of the open row above it.
 * - `member`: a key of the open row above it, which is a partition or a prefix.
 * - `range`: several keys with little traffic.
 * - `partition`: a physical partition, with all of its traffic.
 * - `prefix`: the keys with this prefix.
 * - `rest`: the traffic of keys that are not recorded one by one. Its heat is the average of all partitions.
 */
export interface HeatMapRow {
  readonly id: string
  readonly kind: 'key' | 'shard' | 'member' | 'range' | 'partition' | 'prefix' | 'rest'
  readonly label: string
  /** The number of keys in it that had traffic. */
  readonly keys: number
  readonly depth: 0 | 1
  readonly folds: boolean
  readonly isOpen: boolean
  readonly writeUnits: number
  readonly readUnits: number
  readonly throttles: number
  /** The hottest second of its hottest member, in percent of what a partition serves. */
  readonly peak: number
  /** The columns that have traffic, `CELL_WIDTH` numbers each: see `HeatMapCell`. */
  readonly cells: readonly number[]
}

/** The order of the numbers of a cell. Units and throttles are for a second, on average over the column. */
export const CELL = {
  column: 0,
  peak: 1,
  writes: 2,
  reads: 3,
  partitionThrottles: 4,
  tableThrottles: 5,
} as const
/** Numbers of a cell. */
export const CELL_WIDTH = 6

/** The whole table or index, by column. Units and requests are for a second, on average over the column. */
export interface HeatMapTotals {
  readonly writes: readonly number[]
  readonly reads: readonly number[]
  /** Throttled requests by reason, such as `TableWriteKeyRangeThroughputExceeded`. */
  readonly throttles: Readonly<Record<string, readonly number[]>>
}

/** A heat map: time across, keys down. */
export interface HeatMap {
  readonly version: typeof API_VERSION
  /** The engine's clock. */
  readonly now: number
  /** When the first column begins, in milliseconds since the epoch. */
  readonly from: number
  /** The width of a column in seconds. */
  readonly seconds: number
  /** The number of columns. */
  readonly columns: number
  /** The delimiter of suffixes by which keys were joined, or empty. */
  readonly delimiter: string
  /** What one partition serves in a second, in units: 100 percent. */
  readonly limit: { readonly writes: number; readonly reads: number }
  /** How many partitions there are now, or 0 if that is unknown. */
  readonly partitions: number
  /** The first column whose cells are included. 0 unless only the newest were asked for. */
  readonly cellsFrom: number
  readonly totals: HeatMapTotals
  readonly rows: readonly HeatMapRow[]
  readonly events: readonly HeatEvent[]
  /** How late the figures are, and which are missing and why. */
  readonly notes?: readonly string[]
}

/** The capacity that a table or an index is allowed, in units a second. */
export interface ConsoleCapacity {
  readonly billingMode: 'PROVISIONED' | 'PAY_PER_REQUEST'
  readonly readUnits?: number
  readonly writeUnits?: number
}

/** Something that changed how traffic meets partitions. `at` is in milliseconds since the epoch. */
export type HeatEvent = {
  readonly at: number
  readonly table: string
  readonly index?: string
} & (
  | {
      /** A logical key got more or fewer shards. */
      readonly type: 'scaled'
      readonly key: string
      readonly from: number
      readonly to: number
      /** `hot`, `quiet`, `set` or `announced`, as the library says; `shard map` if only the change itself is known. */
      readonly reason: string
      /** The process that changed it, if it reports to this console. */
      readonly by?: string
      /** The write units a second before a growth because of heat. */
      readonly acceptedPerSecond?: number
      readonly throttledPerSecond?: number
    }
  | {
      /** A partition became two. */
      readonly type: 'split'
      readonly partition: number
      readonly into: number
      readonly reason: string
    }
  | {
      /** A hot or large partition could not be split. */
      readonly type: 'split-refused'
      readonly partition: number
      readonly reason: string
    }
  | {
      /** The queue of an index became full, so that writes of its table are refused. */
      readonly type: 'index-full'
      readonly index: string
      readonly reason: string
    }
  | {
      /** The capacity of a table or an index was changed. Without units, it is on-demand without a maximum. */
      readonly type: 'capacity'
      readonly from: ConsoleCapacity
      readonly to: ConsoleCapacity
    }
)

/** A change of the shard count of a key. */
export type ScaledEvent = Extract<HeatEvent, { readonly type: 'scaled' }>
