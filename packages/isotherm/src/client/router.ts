import { missingPart } from '../errors/missing-part.js'
import type { IndexedTable } from '../indexes/indexed-table.js'
import type { KeyShards } from '../scaling/key-shards.js'
import type { TableHeat } from '../scaling/sensing/table-heat.js'
import { abortError } from '../sdk/abort-error.js'
import { type LowLevelRequest, toLowLevel } from '../sdk/low-level-request.js'
import { operationOf } from '../sdk/operation.js'
import type { AnyCommand, PhysicalClient, SendOptions } from '../sdk/physical-client.js'
import { TablesByName } from '../sdk/tables-by-name.js'
import type { TakenCommand } from '../sdk/taken-command.js'
import type { ExplainedRequest } from './explain.js'
import { handlerOf, type MergedParts } from './merged-parts.js'
import type { ParsedOptions } from './parsed-options.js'
import { openTable, type TableRuntime } from './table-runtime.js'
import { tableTouched } from './tables-touched.js'

/** The components of a client. */
export interface ClientMake {
  readonly parts: MergedParts
  readonly options: ParsedOptions
}

/** The tables that a command touches. */
interface Touched {
  readonly operation: string
  /** The first sharded table, or else the first one with sharded indexes. */
  readonly table: TableRuntime
  /** Whether any of its tables has sharded indexes. */
  readonly isIndexed: boolean
}

/** Routes each command to its handler. */
export class Router {
  readonly #client: PhysicalClient
  readonly #tables: TablesByName<TableRuntime>
  readonly #indexed: TablesByName<IndexedTable<TableRuntime>> | undefined
  readonly #parts: MergedParts

  constructor(client: PhysicalClient, { options, parts }: ClientMake, destroyed: AbortSignal) {
    const { indexes, openRebalancer } = parts.options
    const surroundings = { ...options, client, openRebalancer, destroyed, routeOf: indexes?.routeOf }
    const tables = options.tables.map((table) => openTable(table, surroundings))
    this.#client = client
    this.#tables = new TablesByName(client, tables.filter(isSharded))
    this.#parts = parts
    this.#indexed = indexes?.open(client, tables)
  }

  /** The `top` hottest keys of each sharded table. */
  heat(top: number): readonly TableHeat[] {
    return [...this.#tables].map((table) => table.scaling.hottest(top))
  }

  /** The manual control of one key's shards. */
  shards(table: string, key: unknown): KeyShards {
    const { shards } = this.#parts.methods
    if (shards === undefined) throw missingPart('rebalancing', 'db.shards()', table)
    return shards(this.#tables, table, key)
  }

  async route(command: AnyCommand, options: SendOptions | undefined): Promise<unknown> {
    const touched = this.#touched(command, operationOf(command))
    if (touched === undefined) return this.#client.send(command as never, options)
    const signal = options?.abortSignal
    // Some request handlers ignore a signal that was aborted before they received it.
    if (signal?.aborted) throw abortError(signal.reason)
    const request = await toLowLevel(command, this.#client)
    try {
      return request.present(await this.#answer(touched, this.#tables, request, options))
    } catch (error) {
      // Waits reject with the signal's own reason, and requests with the SDK's error.
      throw signal?.aborted && error === signal.reason ? abortError(error) : error
    }
  }

  /** Lists the requests that would be sent now for the command. */
  async explain(command: AnyCommand): Promise<readonly ExplainedRequest[]> {
    const { explain } = this.#parts.methods
    if (explain === undefined) throw missingPart('explain', 'db.explain()')
    const operation = operationOf(command)
    const request = await toLowLevel(command, this.#client)
    const touched = this.#touched(command, operation)
    if (touched === undefined) return [{ operation, input: request.input }]
    return explain(operation, touched.table, this.#tables, (table, tables) =>
      this.#answer({ ...touched, table }, tables, request, undefined),
    )
  }

  #touched({ input }: AnyCommand, operation: string): Touched | undefined {
    const table = tableTouched(operation, input, this.#tables)
    const indexed = this.#indexed && tableTouched(operation, input, this.#indexed)
    if (table !== undefined) return { operation, table, isIndexed: indexed !== undefined }
    // Vector search uses the stored keys.
    if (indexed === undefined || operation === 'SearchVectors') return undefined
    return { operation, table: indexed.runtime, isIndexed: true }
  }

  #answer(
    { operation, table, isIndexed }: Touched,
    tables: TablesByName<TableRuntime>,
    request: LowLevelRequest,
    options: SendOptions | undefined,
  ): Promise<object> {
    const { indexes } = this.#parts.options
    if (!isIndexed || indexes === undefined || this.#indexed === undefined) {
      return this.#handled(operation, { table, tables, request, options })
    }
    return indexes.withShadowKeys(this.#indexed, operation, request.input, (input) => {
      const command = { table, tables, request: { ...request, input }, options }
      if (isSharded(table)) return this.#handled(operation, command)
      return indexes.sendUnsharded(table, operation, command.request, options, () =>
        this.#handled(operation, command),
      )
    })
  }

  #handled(operation: string, command: TakenCommand<TableRuntime>): Promise<object> {
    return handlerOf(this.#parts, operation, command.table.options.name)(command)
  }
}

/** Whether its own key is sharded, and not only indexes of it. */
function isSharded({ placementKind }: TableRuntime): boolean {
  return placementKind !== 'bare'
}
