import { refuseCommand } from '../errors/refuse.js'
import type { TableHeat } from '../observability/table-heat.js'
import type { ParsedOptions } from '../options/parse-options.js'
import { query } from '../queries/query.js'
import { toLowLevel } from '../sdk/low-level-request.js'
import type { AnyCommand, PhysicalClient, SendOptions } from '../sdk/physical-client.js'
import { TableRuntime } from '../table/table-runtime.js'
import { putItem } from '../writes/put-item.js'
import { operationOf } from './operation.js'
import { shardedTableTouched } from './tables-touched.js'

const HANDLERS = { PutItem: putItem, Query: query } as const

/** Sends each command where it belongs. */
export class Router {
  readonly #client: PhysicalClient
  readonly #tables: ReadonlyMap<string, TableRuntime>

  constructor(client: PhysicalClient, options: ParsedOptions, signal: AbortSignal) {
    this.#client = client
    this.#tables = new Map(
      options.tables.map((table) => [table.name, new TableRuntime(table, client, options, signal)]),
    )
  }

  /** The `top` hottest keys of each sharded table. */
  heat(top: number): readonly TableHeat[] {
    return Array.from(this.#tables.values(), (table) => table.hottest(top))
  }

  async route(command: AnyCommand, options: SendOptions | undefined): Promise<unknown> {
    const operation = operationOf(command)
    const name = shardedTableTouched(
      operation,
      command.input as Readonly<Record<string, unknown>>,
      (table) => this.#tables.has(table),
      this.#tables.keys(),
    )
    const table = name === undefined ? undefined : this.#tables.get(name)
    if (table === undefined) return this.#client.send(command as never, options)
    const isReady = table.placement.kind === 'random' && (operation === 'PutItem' || operation === 'Query')
    if (!isReady) throw refuseCommand(table.options.name, operation)
    const request = await toLowLevel(command, this.#client)
    const output = await HANDLERS[operation](table, request, options)
    return request.present(output)
  }
}
