import type { StreamState } from '../stream/stream.js'
import type { Table } from '../table/table.js'

/** What a request touched, noted on its way for those who keep figures. */
export interface Touched {
  /** In the order in which they were looked up: once for each action of a request that has many. */
  readonly tables: Table[]
  stream: StreamState | undefined
  /** Tables of members that came back because somebody else's transaction held their items, once for each. */
  conflicts: Table[] | undefined
}

/** A request on its way, and what is known of it when it has ended. */
export interface MeteredRequest extends Touched {
  readonly operation: string
  readonly region: string
  /** When it came, by the engine's clock: what is told of latency must be the same in every run on virtual time. */
  readonly from: number
}
