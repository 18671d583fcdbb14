import type { TraceHeader } from '../trace/trace-format.js'
import type { ReplayDesign } from './replay-design.js'
import type { TableFigures } from './traffic.js'

/** Options of a replay. */
export interface ReplayOptions {
  /** The path of the trace. */
  readonly path: string
  /** Changes to the tables. By default there are none. */
  readonly design?: ReplayDesign | undefined
  /** The capacity model. The default is the recorded one. */
  readonly model?: TraceHeader['model'] | undefined
  /** The speed relative to the recording: 2 sends the requests in half the time. The default is 1. */
  readonly rate?: number | undefined
  /** The seed of all random decisions. The default is 1. */
  readonly seed?: number | undefined
  /** Whether the report has the requests of each second, for charts. The default is false. */
  readonly series?: boolean | undefined
  /** Called after each 1,000 requests. */
  readonly onProgress?: ((progress: ReplayProgress) => void) | undefined
}

/** The progress of a replay. */
export interface ReplayProgress {
  /** The requests that were sent. */
  readonly requests: number
  /** The seconds of the replay until the last of them. */
  readonly seconds: number
}

/** How a table and its global indexes were billed at the end of a replay, or before they were deleted. Provisioned units are those of all of them. */
export type ReplayedBilling =
  | { readonly mode: 'PAY_PER_REQUEST' }
  | { readonly mode: 'PROVISIONED'; readonly readUnits: number; readonly writeUnits: number }

/** Requests of all tables, second by second. */
export interface ReplaySeries {
  /** Seconds of a step: 1, or more for a long trace. */
  readonly stepSeconds: number
  readonly offered: readonly number[]
  readonly throttled: readonly number[]
}

/** The traffic of a table in the recording and in the replay. */
export interface ReplayedTable {
  readonly region: string
  readonly table: string
  readonly recorded: TableFigures
  readonly replayed: TableFigures
  /** Missing if the table never existed. */
  readonly billing?: ReplayedBilling
}

/** The result of a replay. It depends only on the file, the options and the seed, not on the machine. */
export interface ReplayReport {
  /** How many requests the trace contains. */
  readonly requests: number
  /** From the first request to the last, in seconds of virtual time. */
  readonly seconds: number
  readonly rate: number
  readonly seed: number
  readonly model: TraceHeader['model']
  /** Whether limits were enforced during the recording. A replay always enforces them. */
  readonly recordedThrottle: boolean
  /** How many items existed when the recording began. They are missing in the replay. */
  readonly missingItems: number
  /** How many requests were not replayed, by operation. */
  readonly leftOut: { readonly [operation: string]: number }
  /** How many requests were replayed unchanged although a suffix should have changed them. */
  readonly notAdapted: number
  /** Whether the file's last line was incomplete. */
  readonly isTorn: boolean
  readonly tables: readonly ReplayedTable[]
  /** If it was asked for. */
  readonly series?: { readonly recorded: ReplaySeries; readonly replayed: ReplaySeries }
}
