import { AbortScope } from '../attempts/abort-scope.js'
import { missingPart } from '../errors/missing-part.js'
import type { IndexKeyShards } from '../indexes/index-key-shards.js'
import type { IndexedTable } from '../indexes/indexed-table.js'
import type { ViewUse } from '../indexes/shard-choice.js'
import { invalidOption } from '../options/check.js'
import type { KeyShards } from '../scaling/key-shards.js'
import type { MigrateOptions, MigrationResult } from '../scaling/migrating/migrate.js'
import type { TableHeat } from '../scaling/sensing/table-heat.js'
import { abortError } from '../sdk/abort-error.js'
import { answeringClient } from '../sdk/answering-client.js'
import { clientByTable } from '../sdk/client-by-table.js'
import { type LowLevelRequest, toLowLevel } from '../sdk/low-level-request.js'
import { operationOf } from '../sdk/operation.js'
import type { AnyCommand, PhysicalClient, SendOptions } from '../sdk/physical-client.js'
import { signalWithListeners } from '../sdk/signal-with-listeners.js'
import { TablesByName } from '../sdk/tables-by-name.js'
import type { TakenCommand } from '../sdk/taken-command.js'
import type { ExplainedRequest } from './explain.js'
import { handlerOf, type MergedParts } from './merged-parts.js'
import type { ParsedOptions, ParsedTable } from './parsed-options.js'
import { shardMapClients } from './shard-map-option.js'
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
  readonly use: ViewUse
}

/** Routes each command to its handler. */
export class Router {
  readonly #client: PhysicalClient
  readonly #tables: TablesByName<TableRuntime>
  readonly #indexed: TablesByName<IndexedTable<TableRuntime>> | undefined
  readonly #parts: MergedParts

  constructor(client: PhysicalClient, { options, parts }: ClientMake, destroyed: AbortSignal) {
    const { indexes, openRebalancer } = parts.options
    const isSensing = options.tables.some(hasDynamicIndex) && indexes !== undefined
    const answering = clientByTable(answeringClient(client), shardMapClients(options.tables))
    const sending = isSensing ? indexes.sensingClient(answering) : answering
    const { routeOf, openCounts: openIndexCounts, openChecks: openIndexChecks } = indexes ?? {}
    const ofIndexes = { routeOf, openIndexCounts, openIndexChecks }
    const surroundings = { ...options, client: sending, openRebalancer, destroyed, ...ofIndexes }
    const tables = options.tables.map((table) => openTable(table, surroundings))
    this.#client = isSensing ? sending : client
    this.#tables = new TablesByName(sending, tables.filter(isSharded))
    this.#parts = parts
    this.#indexed = indexes?.open(sending, tables)
  }

  /** The `top` hottest keys of each sharded table, and of each index with dynamic counts. */
  heat(top: number): readonly TableHeat[] {
    const counts = [...(this.#indexed ?? [])].flatMap(({ runtime }) => [...runtime.indexCounts.values()])
    return [
      ...[...this.#tables].map((table) => table.scaling.hottest(top)),
      ...counts.map((each) => each.hottest(top)),
    ]
  }

  /** The manual control of the shards of one key value of an index. */
  indexShards(table: string, value: unknown, index: string): IndexKeyShards {
    const { indexes } = this.#parts.options
    if (indexes === undefined) throw missingPart('indexes', 'db.shards() with an index', table)
    const indexed = this.#indexed?.of(table)
    if (indexed !== undefined) return indexes.valueByHand(indexed.runtime, index, value)
    throw invalidOption('shards(table)', table, 'a table of the options with a sharded index')
  }

  /** The manual control of one key's shards. */
  shards(table: string, key: unknown): KeyShards {
    const { shards } = this.#parts.methods
    if (shards === undefined) throw missingPart('rebalancing', 'db.shards()', table)
    this.#parts.options.indexes?.refuseIndexKey(key)
    return shards(this.#tables, table, key)
  }

  /** Changes the initial count of a table. */
  async migrate(table: string, options: MigrateOptions): Promise<MigrationResult> {
    const { migrate, shards } = this.#parts.methods
    if (shards === undefined) throw missingPart('rebalancing', 'db.migrate()', table)
    if (migrate === undefined) throw missingPart('migrating', 'db.migrate()', table)
    return migrate(this.#tables, table, options)
  }

  /** Not an async function, and none of a call's first attempt is: see `sendUntilAnswered`. It never throws immediately. */
  route(command: AnyCommand, options: SendOptions | undefined): Promise<unknown> {
    try {
      const touched = this.#touched(command, operationOf(command))
      if (touched === undefined) return this.#client.send(command as never, options)
      // Untyped callers also send null.
      const signal = options?.abortSignal ?? undefined
      // Some request handlers ignore a signal that was aborted before they received it.
      if (signal?.aborted) throw abortError(signal.reason)
      const given = sendOptionsOf(options)
      const answer = (sent: SendOptions | undefined) =>
        this.#presented(touched, toLowLevel(command, this.#client), sent)
      return signal === undefined
        ? answer(given)
        : untilAborted(signalWithListeners(signal), (abortSignal) => answer({ ...given, abortSignal }))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** Executes a command that another client sends, or returns `undefined` if it does not concern the tables. */
  routeOfOther(command: AnyCommand, options: SendOptions | undefined): Promise<unknown> | undefined {
    return this.#touched(command, operationOf(command)) && this.route(command, options)
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
      this.#answer({ ...touched, table, use: 'explain' }, tables, request, undefined),
    )
  }

  #touched({ input }: AnyCommand, operation: string): Touched | undefined {
    const table = tableTouched(operation, input, this.#tables)
    const indexed = this.#indexed && tableTouched(operation, input, this.#indexed)
    const use = 'write'
    if (table !== undefined) return { operation, table, isIndexed: indexed !== undefined, use }
    // Vector search uses the stored keys.
    if (indexed === undefined || operation === 'SearchVectors') return undefined
    return { operation, table: indexed.runtime, isIndexed: true, use }
  }

  #presented(
    touched: Touched,
    request: LowLevelRequest | Promise<LowLevelRequest>,
    options: SendOptions | undefined,
  ): Promise<object> {
    if (request instanceof Promise) return request.then((known) => this.#presented(touched, known, options))
    const answer = this.#answer(touched, this.#tables, request, options)
    return request.present === undefined ? answer : answer.then(request.present)
  }

  #answer(
    { operation, table, isIndexed, use }: Touched,
    tables: TablesByName<TableRuntime>,
    request: LowLevelRequest,
    options: SendOptions | undefined,
  ): Promise<object> {
    const { indexes } = this.#parts.options
    if (!isIndexed || indexes === undefined || this.#indexed === undefined) {
      return this.#handled(operation, { table, tables, request, options })
    }
    const asked = { operation, input: request.input, use }
    return indexes.withShadowKeys(this.#indexed, asked, (input, shadowed) => {
      const command = { table, tables, request: { ...request, input }, options }
      if (isSharded(table)) return this.#handled(operation, command)
      return indexes.sendUnsharded({ ...command, operation, shadowed }, () =>
        this.#handled(operation, command),
      )
    })
  }

  #handled(operation: string, command: TakenCommand<TableRuntime>): Promise<object> {
    return handlerOf(this.#parts, operation, command.table.options.name)(command)
  }
}

function hasDynamicIndex({ indexes }: ParsedTable): boolean {
  return [...indexes.values()].some((index) => index.kind === 'sharded' && index.shards.kind === 'dynamic')
}

/**
 * The answer, unless the signal aborts before: a request may be waiting for something that has no signal, such as the shard map.
 * Waits reject with the signal's own reason, and requests with the SDK's error.
 */
function untilAborted<Output>(
  signal: AbortSignal,
  answer: (signal: AbortSignal) => Promise<Output>,
): Promise<Output> {
  // A command may become a hundred requests, which all listen. Node warns of a leak when eleven listen to a signal of the caller.
  const scope = new AbortScope([signal])
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(abortError(signal.reason))
    scope.signal.addEventListener('abort', onAbort, { once: true })
    const failed = (error: unknown) => {
      scope.leave()
      reject(signal.aborted && error === signal.reason ? abortError(error) : error)
    }
    try {
      answer(scope.signal).then((output) => {
        scope.leave()
        resolve(output)
      }, failed)
    } catch (error) {
      failed(error)
    }
  })
}

/** Without members that are null, which untyped callers send. */
function sendOptionsOf(options: SendOptions | undefined): SendOptions | undefined {
  if (options === undefined || options === null) return undefined
  if (options.abortSignal !== null) return options
  const { abortSignal: _, ...others } = options
  return others
}

/** Whether its own key is sharded, and not only indexes of it. */
function isSharded({ placementKind }: TableRuntime): boolean {
  return placementKind !== 'bare'
}
