import type { StreamState } from '../stream/stream.js'
import type { Table } from '../table/table.js'

/** What a request touched, noted on its way for those who keep figures. */
export interface Touched {
  /** In the order in which they were looked up: once for each action of a request that has many. */
  readonly tables: Table[]
  stream?: StreamState
}
