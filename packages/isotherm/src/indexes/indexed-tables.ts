import type { TableRuntime } from '../client/table-runtime.js'
import { tableNameOf } from '../sdk/table-name.js'
import { IndexedTable } from './indexed-table.js'

/** The tables of one client that have sharded indexes, whether they are sharded themselves or not. */
export class IndexedTables {
  readonly #tables: ReadonlyMap<string, IndexedTable>

  constructor(tables: Iterable<TableRuntime>) {
    const indexed = [...tables].map((table) => new IndexedTable(table))
    this.#tables = new Map(
      indexed.filter(({ shadows }) => shadows.length > 0).map((table) => [table.runtime.options.name, table]),
    )
  }

  /** @returns `undefined` for a table without sharded indexes */
  of(nameOrArn: unknown): IndexedTable | undefined {
    if (this.#tables.size === 0) return undefined
    const name = tableNameOf(nameOrArn)
    return name === undefined ? undefined : this.#tables.get(name)
  }

  [Symbol.iterator](): Iterator<IndexedTable> {
    return this.#tables.values()
  }
}
