import { refuseCommand } from '../errors/refuse.js'
import type { LogicalKey, SuffixableKey } from '../keys/key.js'
import type { TableHeat } from '../observability/table-heat.js'
import { invalidOption } from '../options/check.js'
import type { ParsedOptions } from '../options/parse-options.js'
import { query } from '../queries/query.js'
import { readItem } from '../reads/read-item.js'
import type { KeyShards } from '../scaling/key-shards.js'
import type { ItemWrite } from '../sdk/item-write.js'
import { type LowLevelRequest, toLowLevel } from '../sdk/low-level-request.js'
import type { AnyCommand, PhysicalClient, SendOptions } from '../sdk/physical-client.js'
import type { RequestContext } from '../sdk/request-context.js'
import { TableRuntime } from '../table/table-runtime.js'
import { writeItem } from '../writes/write-item.js'
import { operationOf } from './operation.js'
import { shardedTableTouched } from './tables-touched.js'

const HANDLERS = {
  PutItem: writer('PutItem'),
  UpdateItem: writer('UpdateItem'),
  DeleteItem: writer('DeleteItem'),
  GetItem: (table: TableRuntime, request: LowLevelRequest, options: SendOptions | undefined) =>
    readItem(table, request.input as never, contextOf(request, options)),
  Query: query,
} as const

function writer(operation: ItemWrite['operation']) {
  return (
    table: TableRuntime,
    { input, carryMiddleware }: LowLevelRequest,
    options: SendOptions | undefined,
  ) => writeItem(table, { operation, input } as never, { options, carryMiddleware })
}

function contextOf({ carryMiddleware }: LowLevelRequest, options: SendOptions | undefined): RequestContext {
  return { options, carryMiddleware }
}

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

  /** The shards of one key, by hand. */
  shards(table: string, key: unknown): KeyShards {
    const runtime = this.#tables.get(table)
    if (runtime === undefined) {
      throw invalidOption(
        'shards(table)',
        table,
        `a table of the options: ${[...this.#tables.keys()].join(', ')}`,
      )
    }
    if (typeof key === 'string' && key !== '')
      return runtime.shards({ S: key } as SuffixableKey as LogicalKey)
    if (key instanceof Uint8Array && key.length > 0) {
      return runtime.shards({ B: key } as SuffixableKey as LogicalKey)
    }
    throw invalidOption('shards(key)', key, 'the logical key: text or bytes, not empty')
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
    if (!isHandled(operation)) throw refuseCommand(table.options.name, operation)
    const request = await toLowLevel(command, this.#client)
    const output = await HANDLERS[operation](table, request, options)
    return request.present(output)
  }
}

function isHandled(operation: string): operation is keyof typeof HANDLERS {
  return Object.hasOwn(HANDLERS, operation)
}
