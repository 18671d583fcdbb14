import { missingPart } from '../errors/missing-part.js'
import type { IndexedTables } from '../indexes/indexed-tables.js'
import type { KeyShards } from '../scaling/key-shards.js'
import type { TableHeat } from '../scaling/sensing/table-heat.js'
import { abortError } from '../sdk/abort-error.js'
import { type LowLevelRequest, toLowLevel } from '../sdk/low-level-request.js'
import { operationOf } from '../sdk/operation.js'
import type { AnyCommand, PhysicalClient, SendOptions } from '../sdk/physical-client.js'
import { ShardedTables } from '../sdk/sharded-tables.js'
import type { ExplainedRequest } from './explaining-client.js'
import type { ParsedOptions } from './parse-options.js'
import type { TakenCommand } from './parts/part.js'
import { handlerOf, type Parts } from './parts/parts.js'
import { TableRuntime } from './table-runtime.js'
import { tableTouched } from './tables-touched.js'

/** What a command is about. */
interface Touched {
  readonly operation: string
  /** The first sharded one of its tables; else the first one with sharded indexes. */
  readonly table: TableRuntime
  /** Whether any of its tables has sharded indexes. */
  readonly isIndexed: boolean
}

/** Sends each command where it belongs. */
export class Router {
  readonly #client: PhysicalClient
  readonly #tables: ShardedTables
  readonly #indexed: IndexedTables | undefined
  readonly #parts: Parts

  constructor(client: PhysicalClient, options: ParsedOptions, signal: AbortSignal) {
    this.#client = client
    const tables = options.tables.map((table) => new TableRuntime(table, client, options, signal))
    this.#tables = new ShardedTables(
      client,
      tables.filter((table) => !isBare(table)),
    )
    this.#parts = options.parts
    this.#indexed = options.parts.indexes?.open(tables)
  }

  /** The `top` hottest keys of each sharded table. */
  heat(top: number): readonly TableHeat[] {
    return [...this.#tables].map((table) => table.hottest(top))
  }

  /** The shards of one key, by hand. */
  shards(table: string, key: unknown): KeyShards {
    const { shardsByHand } = this.#parts
    if (shardsByHand === undefined) throw missingPart('rebalancing', 'db.shards()', table)
    return shardsByHand(this.#tables, table, key)
  }

  async route(command: AnyCommand, options: SendOptions | undefined): Promise<unknown> {
    const touched = this.#touched(command, operationOf(command))
    if (touched === undefined) return this.#client.send(command as never, options)
    const signal = options?.abortSignal
    // Not every handler of requests looks whether the signal was aborted before it was given it.
    if (signal?.aborted) throw abortError(signal.reason)
    const request = await toLowLevel(command, this.#client)
    try {
      return request.present(await this.#answer(touched, this.#tables, request, options))
    } catch (error) {
      // Waits end with the signal's reason, whatever that is; requests with the SDK's error.
      throw signal?.aborted && error === signal.reason ? abortError(error) : error
    }
  }

  /** What would be sent now for the command. */
  async explain(command: AnyCommand): Promise<readonly ExplainedRequest[]> {
    const { explained } = this.#parts
    if (explained === undefined) throw missingPart('explain', 'db.explain()')
    const operation = operationOf(command)
    const request = await toLowLevel(command, this.#client)
    const touched = this.#touched(command, operation)
    if (touched === undefined) return [{ operation, input: request.input }]
    return explained(operation, touched.table, this.#tables, (table, tables) =>
      this.#answer({ ...touched, table }, tables, request, undefined),
    )
  }

  #touched({ input }: AnyCommand, operation: string): Touched | undefined {
    const table = tableTouched(operation, input, this.#tables, ({ options }) => options.name)
    const indexed =
      this.#indexed && tableTouched(operation, input, this.#indexed, ({ runtime }) => runtime.options.name)
    if (table !== undefined) return { operation, table, isIndexed: indexed !== undefined }
    // Vectors are searched for as they are stored.
    if (indexed === undefined || operation === 'SearchVectors') return undefined
    return { operation, table: indexed.runtime, isIndexed: true }
  }

  #answer(
    { operation, table, isIndexed }: Touched,
    tables: ShardedTables,
    request: LowLevelRequest,
    options: SendOptions | undefined,
  ): Promise<object> {
    const { indexes } = this.#parts
    if (!isIndexed || indexes === undefined || this.#indexed === undefined) {
      return this.#handled(operation, { table, tables, request, options })
    }
    return indexes.answeredWithoutShadowKeys(this.#indexed, operation, request.input, (input) => {
      const command = { table, tables, request: { ...request, input }, options }
      if (!isBare(table)) return this.#handled(operation, command)
      return indexes.sendUnsharded(table, operation, command.request, options, () =>
        this.#handled(operation, command),
      )
    })
  }

  #handled(operation: string, command: TakenCommand): Promise<object> {
    return handlerOf(this.#parts, operation, command.table.options.name)(command)
  }
}

function isBare({ placementKind }: TableRuntime): boolean {
  return placementKind === 'bare'
}
