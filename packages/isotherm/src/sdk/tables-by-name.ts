import type { PhysicalClient } from './physical-client.js'

export interface NamedTable {
  readonly options: { readonly name: string }
}

/** Tables of one client, and the client, for requests with several tables. */
export class TablesByName<Table extends NamedTable> {
  readonly client: PhysicalClient
  readonly #tables: ReadonlyMap<string | undefined, Table>

  constructor(client: PhysicalClient, tables: readonly Table[]) {
    this.client = client
    this.#tables = new Map(tables.map((table) => [table.options.name, table]))
  }

  /** @returns `undefined` for a table that is not one of them */
  of(nameOrArn: unknown): Table | undefined {
    return this.#tables.get(tableNameOf(nameOrArn))
  }

  [Symbol.iterator](): Iterator<Table> {
    return this.#tables.values()
  }
}

/** The table's name in a request, which may also contain its ARN. */
export function tableNameOf(nameOrArn: unknown): string | undefined {
  if (typeof nameOrArn !== 'string') return undefined
  if (!nameOrArn.startsWith('arn:')) return nameOrArn
  return /:table\/([^/]+)/.exec(nameOrArn)?.[1]
}
