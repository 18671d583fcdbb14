import type { TraceHeader } from '../trace/trace-format.js'
import type { ReplayDesign } from './replay-design.js'
import type { TableFigures } from './traffic.js'

/** How to replay a trace. */
export interface ReplayOptions {
  /** The trace's file. */
  readonly path: string
  /** What shall be different; nothing by default. */
  readonly design?: ReplayDesign
  /** The capacity model; as recorded by default. */
  readonly model?: TraceHeader['model']
  /** How dense the requests come: at 2, twice as many in the same time; 1 by default. */
  readonly rate?: number
  /** For everything that is left to chance; 1 by default. */
  readonly seed?: number
}

/** What became of a table's traffic, then and now. */
export interface ReplayedTable {
  readonly region: string
  readonly table: string
  readonly recorded: TableFigures
  readonly replayed: TableFigures
}

/** A replay. It holds nothing of the machine it ran on: the same file, options and seed give the same. */
export interface ReplayReport {
  readonly requests: number
  /** From the first request to the last, in seconds of virtual time. */
  readonly seconds: number
  readonly rate: number
  readonly seed: number
  readonly model: TraceHeader['model']
  /** Whether limits were enforced when the trace was recorded. They always are in a replay. */
  readonly recordedThrottle: boolean
  /** Items that were there when the recording began, and are not there in the replay. */
  readonly missingItems: number
  /** Requests that are not run again, by operation. */
  readonly leftOut: { readonly [operation: string]: number }
  /** Requests that ran as recorded although a suffix should have changed them. */
  readonly notAdapted: number
  /** Whether the file's last line was torn. */
  readonly isTorn: boolean
  readonly tables: readonly ReplayedTable[]
}
