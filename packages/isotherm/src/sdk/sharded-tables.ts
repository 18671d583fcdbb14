import type { TableRuntime } from '../client/table-runtime.js'
import type { PhysicalClient } from './physical-client.js'
import { tableNameOf } from './table-name.js'

/** The sharded tables of one client, and the client, for requests that touch several tables at once. */
export class ShardedTables {
  readonly client: PhysicalClient
  readonly #tables: ReadonlyMap<string, TableRuntime>

  constructor(client: PhysicalClient, tables: Iterable<TableRuntime>) {
    this.client = client
    this.#tables = new Map([...tables].map((table) => [table.options.name, table]))
  }

  /** @returns `undefined` for a table that is not sharded */
  of(nameOrArn: unknown): TableRuntime | undefined {
    const name = tableNameOf(nameOrArn)
    return name === undefined ? undefined : this.#tables.get(name)
  }

  [Symbol.iterator](): Iterator<TableRuntime> {
    return this.#tables.values()
  }
}
