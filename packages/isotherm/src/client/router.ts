import type { GetItemCommandInput } from '@aws-sdk/client-dynamodb'
import { batchGetItem } from '../batches/batch-get-item.js'
import { batchWriteItem } from '../batches/batch-write-item.js'
import { refuseCommand } from '../errors/refuse.js'
import { explained } from '../explain/explain.js'
import type { ExplainedRequest } from '../explain/explaining-client.js'
import { answerWithoutShadowKeys, errorWithoutShadowKeys } from '../indexes/answer-without-shadow-keys.js'
import { IndexedTables } from '../indexes/indexed-tables.js'
import { requestWithShadowKeys } from '../indexes/request-with-shadow-keys.js'
import { sendUnsharded } from '../indexes/send-unsharded.js'
import type { LogicalKey, SuffixableKey } from '../keys/key.js'
import type { TableHeat } from '../observability/table-heat.js'
import { invalidOption } from '../options/check.js'
import type { ParsedOptions } from '../options/parse-options.js'
import { query } from '../queries/query.js'
import { readItem } from '../reads/read-item.js'
import type { KeyShards } from '../scaling/key-shards.js'
import { scan } from '../scans/scan.js'
import { abortError } from '../sdk/abort-error.js'
import type { ItemWrite } from '../sdk/item-write.js'
import { type LowLevelRequest, toLowLevel } from '../sdk/low-level-request.js'
import type { AnyCommand, PhysicalClient, SendOptions } from '../sdk/physical-client.js'
import type { RequestContext } from '../sdk/request-context.js'
import { ShardedTables } from '../table/sharded-tables.js'
import { TableRuntime } from '../table/table-runtime.js'
import { transactGetItems } from '../transactions/transact-get-items.js'
import { transactWriteItems } from '../transactions/transact-write-items.js'
import { writeItem } from '../writes/write-item.js'
import { operationOf } from './operation.js'
import { tableTouched } from './tables-touched.js'

type OfOneTable = (
  table: TableRuntime,
  request: LowLevelRequest,
  options: SendOptions | undefined,
) => Promise<object>

type OfManyTables = (
  tables: ShardedTables,
  request: LowLevelRequest,
  options: SendOptions | undefined,
) => Promise<object>

const OF_ONE_TABLE: Readonly<Record<string, OfOneTable>> = {
  PutItem: writing('PutItem'),
  UpdateItem: writing('UpdateItem'),
  DeleteItem: writing('DeleteItem'),
  GetItem: (table, request, options) =>
    readItem(table, request.input as unknown as GetItemCommandInput, contextOf(request, options)),
  Query: query,
  Scan: scan,
}

const OF_MANY_TABLES: Readonly<Record<string, OfManyTables>> = {
  BatchGetItem: batchGetItem,
  BatchWriteItem: batchWriteItem,
  TransactGetItems: transactGetItems,
  TransactWriteItems: transactWriteItems,
}

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
  readonly #indexed: IndexedTables

  constructor(client: PhysicalClient, options: ParsedOptions, signal: AbortSignal) {
    this.#client = client
    const tables = options.tables.map((table) => new TableRuntime(table, client, options, signal))
    this.#tables = new ShardedTables(
      client,
      tables.filter((table) => !isBare(table)),
    )
    this.#indexed = new IndexedTables(tables)
  }

  /** The `top` hottest keys of each sharded table. */
  heat(top: number): readonly TableHeat[] {
    return [...this.#tables].map((table) => table.hottest(top))
  }

  /** The shards of one key, by hand. */
  shards(table: string, key: unknown): KeyShards {
    const runtime = this.#tables.of(table)
    if (runtime === undefined) {
      throw invalidOption(
        'shards(table)',
        table,
        `a table of the options: ${Array.from(this.#tables, ({ options }) => options.name).join(', ')}`,
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
    const touched = this.#touched(command, operationOf(command))
    if (touched === undefined) return this.#client.send(command as never, options)
    const signal = options?.abortSignal
    // Not every handler of requests looks whether the signal was aborted before it was given it.
    if (signal?.aborted) throw abortError(signal.reason)
    const request = await toLowLevel(command, this.#client)
    return request.present(await this.#answer(touched, this.#tables, request, options))
  }

  /** What would be sent now for the command. */
  async explain(command: AnyCommand): Promise<readonly ExplainedRequest[]> {
    const touched = this.#touched(command, operationOf(command))
    const request = await toLowLevel(command, this.#client)
    if (touched === undefined) return [{ operation: operationOf(command), input: request.input }]
    const { operation, table } = touched
    const tables = isBare(table) ? new ShardedTables(this.#client, [table]) : this.#tables
    return explained(operation, tables, (explaining) => {
      const { name } = table.options
      return this.#answer({ ...touched, table: explaining.of(name) ?? table }, explaining, request, undefined)
    })
  }

  #touched({ input }: AnyCommand, operation: string): Touched | undefined {
    const table = tableTouched(operation, input, this.#tables, ({ options }) => options.name)
    const indexed = tableTouched(operation, input, this.#indexed, ({ runtime }) => runtime.options.name)
    if (table !== undefined) return { operation, table, isIndexed: indexed !== undefined }
    // Vectors are searched for as they are stored.
    if (indexed === undefined || operation === 'SearchVectors') return undefined
    return { operation, table: indexed.runtime, isIndexed: true }
  }

  /** With the keys of indexes in what is asked and not in what is answered. */
  async #answer(
    { operation, table, isIndexed }: Touched,
    tables: ShardedTables,
    request: LowLevelRequest,
    options: SendOptions | undefined,
  ): Promise<object> {
    if (!isIndexed) return handled(operation, table, tables, request, options)
    const indexed = this.#indexed
    const input = requestWithShadowKeys(indexed, operation, request.input)
    try {
      const answer = await handled(operation, table, tables, { ...request, input }, options)
      return answerWithoutShadowKeys(indexed, input, answer)
    } catch (error) {
      throw errorWithoutShadowKeys(indexed, input, error)
    }
  }
}

function isBare({ placement }: TableRuntime): boolean {
  return placement.kind === 'bare'
}

function handled(
  operation: string,
  table: TableRuntime,
  tables: ShardedTables,
  request: LowLevelRequest,
  options: SendOptions | undefined,
): Promise<object> {
  if (isBare(table)) return sendUnsharded(table, operation, request, options)
  const ofMany = OF_MANY_TABLES[operation]
  if (ofMany !== undefined) return ofMany(tables, request, options)
  const ofOne = OF_ONE_TABLE[operation]
  if (ofOne === undefined) throw refuseCommand(table.options.name, operation)
  return ofOne(table, request, options)
}

function writing(operation: ItemWrite['operation']): OfOneTable {
  return (table, request, options) =>
    writeItem(table, { operation, input: request.input } as unknown as ItemWrite, contextOf(request, options))
}

function contextOf({ carryMiddleware }: LowLevelRequest, options: SendOptions | undefined): RequestContext {
  return { options, carryMiddleware }
}
