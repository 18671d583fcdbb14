import type { LowLevelRequest } from './low-level-request.js'
import type { SendOptions } from './physical-client.js'
import type { NamedTable, TablesByName } from './tables-by-name.js'

/** A command of the application, for the operation that executes it. */
export interface TakenCommand<Table extends NamedTable> {
  /** The first of its sharded tables. */
  readonly table: Table
  /** All sharded tables of the client. */
  readonly tables: TablesByName<Table>
  readonly request: LowLevelRequest
  readonly options: SendOptions | undefined
}
