import { type ParseIndexes, parseTableIndexes } from '../options/index-options.js'
import { parseIndexedTable } from '../options/parse-indexed-table.js'
import { routeOfIndex } from '../queries/index-route.js'
import type { RouteOfIndex } from '../queries/query-route.js'
import type { TableRuntime } from '../table/table-runtime.js'
import { answeredWithoutShadowKeys } from './answered-without-shadow-keys.js'
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
