import { parseIndexedTable } from '../client/parse-indexed-table.js'
import type { TableRuntime } from '../client/table-runtime.js'
import type { RouteOfIndex } from '../queries/query-route.js'
import { answeredWithoutShadowKeys } from './answered-without-shadow-keys.js'
import { type ParseIndexes, parseTableIndexes } from './index-options.js'
import { routeOfIndex } from './index-route.js'
import { IndexedTables } from './indexed-tables.js'
import { sendUnsharded } from './send-unsharded.js'

/** All that a client needs to know of indexes. */
export interface IndexSupport {
  readonly parse: ParseIndexes
  readonly parseIndexedTable: typeof parseIndexedTable
  readonly routeOf: RouteOfIndex
  open(tables: Iterable<TableRuntime>): IndexedTables
  readonly answeredWithoutShadowKeys: typeof answeredWithoutShadowKeys
  readonly sendUnsharded: typeof sendUnsharded
}

export const indexSupport: IndexSupport = {
  parse: parseTableIndexes,
  parseIndexedTable,
  routeOf: routeOfIndex,
  open: (tables) => new IndexedTables(tables),
  answeredWithoutShadowKeys,
  sendUnsharded,
}
