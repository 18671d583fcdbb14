import type { StreamState } from '../stream/stream.js'
import type { Table } from '../table/table.js'

/** The tables and the stream that a request used, recorded for metrics. */
export interface Touched {
  /** In the order of lookups: once for each action of a request that has many. */
  readonly tables: Table[]
  stream: StreamState | undefined
  /**
   * The tables of batch members that were not processed because a transaction held their items, once for each member.
   */
  conflicts: Table[] | undefined
}

/** A request in progress, with the data that its metrics need. */
export interface MeteredRequest extends Touched {
  readonly operation: string
  readonly region: string
  /** When the request arrived, by the engine's clock, so that latency is the same in every run on virtual time. */
  readonly from: number
}
