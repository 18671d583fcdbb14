import type { CountedTable } from '../protocol/index.js'
import type { ReadTable } from '../scaling/read-heat.js'
import type { MeanItemBytes } from './mean-item-bytes.js'
import type { RouteOfIndex } from './query-route.js'

/** A table that is queried. */
export interface QueriedTable extends CountedTable, ReadTable {
  readonly meanItemBytes: MeanItemBytes
  /** Routes queries of an index, if the client supports indexes. */
  readonly routeOfIndex: RouteOfIndex | undefined
  /** Aborts when the client is destroyed. */
  readonly destroyed: AbortSignal
}
