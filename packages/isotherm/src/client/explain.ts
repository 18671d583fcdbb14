import { TablesByName } from '../sdk/tables-by-name.js'
import { type ExplainedRequest, explainingClient, isEndOfExplanation } from './explaining-client.js'
import type { TableRuntime } from './table-runtime.js'

const READING = new Set(['GetItem', 'BatchGetItem', 'TransactGetItems', 'Query', 'Scan'])

/**
 * Runs the request with a client that records requests instead of sending them.
 *
 * A read is explained by its first requests, as for a table without items. A write must know where its item is, so its
 * preceding reads are recorded and sent. The shard map is read but not written.
 */
export async function explained(
  operation: string,
  touched: TableRuntime,
  tables: TablesByName<TableRuntime>,
  carryOut: (touched: TableRuntime, tables: TablesByName<TableRuntime>) => Promise<unknown>,
): Promise<readonly ExplainedRequest[]> {
  const requests: ExplainedRequest[] = []
  const client = explainingClient(tables.client, !READING.has(operation), requests)
  const copies = new Map([touched, ...tables].map((table) => [table, explainedTable(table, client)]))
  const copy = copies.get(touched) ?? touched
  await carryOut(copy, new TablesByName(client, [...copies.values()])).catch((error: unknown) => {
    if (!isEndOfExplanation(error)) throw error
  })
  return requests
}

/** The table with that client. An unknown key is not added to the shard map, and nothing is counted. */
function explainedTable(table: TableRuntime, client: TableRuntime['client']): TableRuntime {
  const views: TableRuntime['views'] = {
    known: (key) => table.views.known(key),
    forRead: (key, how) => table.views.forRead(key, how),
    forWrite: (key) => table.views.forRead(key, { consistent: false }),
  }
  const heat: TableRuntime['heat'] = {
    offered: () => {},
    accepted: () => {},
    throttled: async () => 'unknown',
  }
  return Object.create(table, {
    client: { value: client },
    views: { value: views },
    heat: { value: heat },
  })
}
