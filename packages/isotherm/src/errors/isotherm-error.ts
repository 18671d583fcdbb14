import type { KeyValue } from '@isotherm/semantics'

/** The names of the parts of a client from `isotherm/core`. */
export type PartName =
  | 'appends'
  | 'items'
  | 'queries'
  | 'scans'
  | 'batches'
  | 'transactions'
  | 'indexes'
  | 'rebalancing'
  | 'migrating'
  | 'secondLevelCache'
  | 'explain'

/** The `details` of each error, by its code. Every code has a section in this package's ERRORS.md. */
export interface IsothermErrorDetails {
  'options.unknown': { readonly option: string; readonly known: readonly string[] }
  'options.invalid': { readonly option: string; readonly value: unknown }
  'client.no-answer': { readonly operation: string }
  'part.missing': { readonly part: PartName; readonly use: string; readonly table: string | undefined }
  'command.unsupported': { readonly operation: string; readonly table: string }
  'command.parameter-unsupported': {
    readonly operation: string
    readonly table: string
    readonly parameter: string
  }
  'key.missing': { readonly table: string; readonly attribute: string }
  'key.type': { readonly table: string; readonly attribute: string; readonly type: string }
  'key.too-long': { readonly table: string; readonly bytes: number; readonly maxBytes: number }
  'key.ambiguous': { readonly table: string; readonly logicalKey: string | Uint8Array }
  'transaction.too-large': {
    readonly operation: string
    readonly members: number
    readonly actions: number
    readonly maxActions: number
    readonly waitedMilliseconds: number
  }
  'cursor.invalid': { readonly table: string; readonly attribute: string }
  'table.missing': { readonly table: string }
  'table.differs': {
    readonly table: string
    readonly setting: 'partitionKey' | 'sortKey'
    readonly found: string | undefined
    readonly given: string | undefined
  }
  'table.no-index': {
    readonly table: string
    readonly index: string
    /** The key of the index, such as `status (S), at (S)`; `undefined` if there is no index of this name. */
    readonly found: string | undefined
  }
  'table.unfit': {
    readonly table: string
    readonly setting: 'partitionKey' | 'suffix' | 'shardMap' | 'shards'
  }
  'items.elsewhere': {
    readonly table: string
    readonly storedKey: string | Uint8Array
    /** The shard of the item; `undefined` if its stored key has no suffix. */
    readonly shard: number | undefined
    /** The number of shards of its logical key, as far as it is known. */
    readonly shards: number | undefined
  }
  'card.differs': {
    readonly table: string
    readonly setting: string
    readonly stored: string | undefined
    readonly given: string | undefined
  }
  'card.foreign': {
    readonly table: string
    readonly shardMap: string
    readonly stored: { readonly table: string | undefined; readonly shardMap: string | undefined }
  }
  'card.lost': {
    readonly table: string
    readonly shardMap: string
    readonly reason: 'missing' | 'item' | 'older' | 'replaced' | 'rebuilding'
  }
  'card.unreadable': { readonly table: string; readonly suffix: string }
  'card.format': { readonly table: string; readonly format: number }
  'rebuild.overtaken': { readonly table: string; readonly shardMap: string }
  'shard-map.missing': { readonly table: string; readonly shardMap: string }
  'shard-map.unavailable': { readonly table: string; readonly shardMap: string }
  'shard-map.malformed': { readonly shardMap: string; readonly attribute: string; readonly value: unknown }
  'shard-map.schema': { readonly shardMap: string; readonly found: string; readonly expected: string }
  'shard-map.not-active': { readonly shardMap: string; readonly status: string }
  'shard-map.slow': {
    readonly table: string
    readonly shardMap: string
    readonly cacheMilliseconds: number
  }
  'query.outdated': { readonly table: string; readonly lateRequestMilliseconds: number }
  'move.malformed': { readonly table: string; readonly value: unknown }
  'move.no-room': {
    readonly table: string
    readonly logicalKey: string | Uint8Array
    readonly sortKey: KeyValue | undefined
    readonly source: number
    readonly target: number
    /** `item`: the item is too large for the attributes of a move. `shard`: an item collection has reached 10 GB. */
    readonly reason: 'item' | 'shard'
  }
  'shards.fixed': { readonly table: string }
  'counts.migrating': { readonly table: string; readonly shardMap: string }
  'migration.other': { readonly table: string; readonly to: number; readonly asked: number }
  'shards.changing': { readonly table: string; readonly logicalKey: string | Uint8Array }
  'policy.invalid': { readonly table: string; readonly value: unknown }
  'scheme.placement': {
    readonly scheme: string
    readonly logicalKey: string | Uint8Array
    readonly value: unknown
  }
  'scheme.names': {
    readonly scheme: string
    readonly key: string | Uint8Array
    readonly value: unknown
  }
  'counter.busy': { readonly table: string; readonly key: string; readonly readings: number }
  'counter.too-large': { readonly table: string; readonly key: string; readonly value: bigint }
  'pool.not-claimed': { readonly table: string; readonly id: string; readonly claim: string }
  'pool.unprocessed': {
    readonly table: string
    readonly ids: readonly string[]
    readonly existing: readonly string[]
  }
  'queue.busy': { readonly table: string; readonly queue: string; readonly entity: string }
  'queue.not-dead': { readonly table: string; readonly queue: string; readonly id: string }
  'search.exists': { readonly table: string; readonly tenant: string; readonly id: string }
  'search.missing': { readonly table: string; readonly tenant: string; readonly id: string }
  'search.changed': { readonly table: string; readonly tenant: string; readonly id: string }
  'search.busy': { readonly table: string; readonly tenant: string; readonly id: string }
  'search.unprocessed': { readonly table: string; readonly left: number }
  'search.cursor': { readonly table: string; readonly tenant: string; readonly cursor: unknown }
  'stream.no-key': { readonly attribute: string }
  'pattern.value': { readonly place: string; readonly value: unknown }
  'large.reserved': { readonly table: string; readonly attribute: string }
  'large.unfit': { readonly table: string; readonly bytes: number; readonly maxBytes: number }
  'large.late': { readonly table: string; readonly milliseconds: number }
  'large.contended': { readonly table: string; readonly tries: number }
  'large.in-pieces': { readonly table: string; readonly attributes: readonly string[] }
  'large.corrupt': { readonly table: string; readonly attribute: string }
  'large.codec': { readonly table: string; readonly attribute: string; readonly codec: string }
  'large.format': { readonly table: string; readonly attribute: string }
  'large.no-store': { readonly table: string; readonly attribute: string }
  'large.chunk-table': { readonly chunkTable: string }
  'rotation.time': { readonly table: string; readonly attribute: string }
  'rotation.closed': { readonly table: string; readonly period: string; readonly state: string }
  'rotation.out-of-range': { readonly table: string; readonly period: string }
  'rotation.no-table': { readonly table: string; readonly period: string }
  'rotation.not-ready': { readonly table: string; readonly period: string; readonly state: string }
  'rotation.archive-differs': { readonly table: string; readonly period: string }
  'rotation.contended': { readonly table: string; readonly period: string }
  'rotation.cursor': { readonly table: string; readonly cursor: unknown }
  'rotation.catalog': { readonly catalog: string }
}

/** The stable, dotted code of an error, such as `key.too-long`. */
export type IsothermErrorCode = keyof IsothermErrorDetails

/**
 * An error of Isotherm itself: an invalid option, an unsupported request, or a shard map that cannot be used. Errors of
 * DynamoDB keep the SDK's own classes.
 *
 * `key.missing`, `key.type` and `cursor.invalid` have the name `ValidationException` and are instances of the SDK's
 * `DynamoDBServiceException`, too.
 *
 * Check `code` in programs. `message` names the value, the rule and the remedy. `help` names the section of ERRORS.md
 * that explains the code.
 *
 * @example
 * try {
 *   await db.send(command)
 * } catch (error) {
 *   if (error instanceof IsothermError && error.code === 'command.unsupported') console.error(error.help)
 * }
 */
export class IsothermError<Code extends IsothermErrorCode = IsothermErrorCode> extends Error {
  override readonly name = 'IsothermError'
  /** The stable code of the error, for use in programs. */
  readonly code: Code
  /** The values that the message names. Their members depend on the code. */
  readonly details: IsothermErrorDetails[Code]
  /** The file and section that explain this code, such as `isotherm/ERRORS.md#keytoo-long`. */
  readonly help: string

  /**
   * Invalid requests that DynamoDB would reject are rejected with the SDK's `ValidationException`, which has the code, the
   * details and the help of its `cause`. It is an instance of both classes.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    const isOwn = (error: unknown) => Function.prototype[Symbol.hasInstance].call(IsothermError, error)
    if (isOwn(value)) return true
    return value instanceof Error && value.name === 'ValidationException' && isOwn(value.cause)
  }

  constructor(
    code: Code,
    message: string,
    details: IsothermErrorDetails[Code],
    { cause }: { readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.details = details
    this.help = `isotherm/ERRORS.md#${code.replaceAll('.', '')}`
  }
}
