import type { Clock } from '@isotherm/runtime'
import { MAX_TRANSACTION_BYTES, readUnits } from '@isotherm/semantics'
import { type Demand, type Enforcement, refusalOf, takeAll } from '../capacity/admission.js'
import type { Awaitable, Change, RecordChange, Storage, StoredItem } from '../storage/storage.js'
import type { Catalog } from '../table/catalog.js'
import { ItemLocked } from '../table/item-locks.js'
import {
  type ItemWrite,
  type PreparedWrite,
  type Table,
  tableUnits,
  type WriteUnits,
} from '../table/table.js'
import { ServiceError, validationException } from '../wire/service-error.js'
import { type CancellationReason, cancelled, isThrottle, NO_REASON, reasonOf } from './cancellation.js'
import { IdempotencyTokens } from './idempotency-tokens.js'
import { type Placed, placeActions } from './place-actions.js'
import { finalWrite, type PreparedAction, prepareAction } from './prepared-action.js'
import type { ReadAction, WriteAction } from './transaction-action.js'

/** What transactions stand on. */
export interface TransactionParts {
  readonly storage: Storage
  readonly clock: Clock
  readonly catalog: Catalog
  readonly enforcement: Enforcement
  /** How long a transaction holds its items, at least. At 0 a store in memory answers at once. */
  readonly milliseconds: number
}

/** A transaction that writes. */
export interface WriteTransaction {
  readonly region: string
  /** At least one, each on an item of its own. */
  readonly actions: readonly WriteAction[]
  /** The client's token, with the fingerprint of its request. */
  readonly token?: { readonly text: string; readonly fingerprint: string } | undefined
}

/** What a transaction took, action by action: read units when it had happened before and was only looked up. */
export interface TransactionUnits {
  readonly kind: 'read' | 'write'
  readonly units: readonly WriteUnits[]
}

/** A transaction that has happened: what it wrote, action by action, if it was now and if the action writes. */
export interface TransactionWritten extends TransactionUnits {
  readonly writes: readonly (ItemWrite | undefined)[]
}

/** What a transaction read, action by action. */
export interface TransactionRead extends TransactionUnits {
  readonly items: readonly (StoredItem | undefined)[]
}

/**
 * Several items changed as one, or read as of one instant.
 *
 * A transaction that writes is judged at once, by the items that are there, and then holds them for a while, as the
 * service does between preparing and committing: whoever else would write one of them is refused. At the end everything
 * is written in one step, and until then nobody sees anything of it. Nothing it was judged by can change before,
 * because it holds that too; so the order in which transactions end is one in which each could have happened alone.
 */
export class Transactions {
  readonly #parts: TransactionParts
  readonly #tokens: IdempotencyTokens
  /** Fingerprints of the requests whose transactions are on their way, by region and token. */
  readonly #running = new Map<string, string>()
  #isClosed = false

  constructor(parts: TransactionParts) {
    this.#parts = parts
    this.#tokens = new IdempotencyTokens(parts.storage)
  }

  /**
   * Does all actions or none.
   * @throws ServiceError; Throttled when a transaction that had happened before cannot be looked up.
   */
  write(transaction: WriteTransaction): Awaitable<TransactionWritten> {
    if (this.#hasHappened(transaction)) return this.#lookUp(transaction.actions)
    const prepared = placeActions(transaction.actions).map(prepareAction)
    this.#admit(prepared)
    const end = this.#begin(transaction, prepared)
    const { failures } = this.#parts.storage
    const result: TransactionWritten = {
      kind: 'write',
      units: prepared.map(({ units }) => units),
      writes: prepared.map(({ write }) => write),
    }
    try {
      const written = this.#afterItsTime(() => this.#commit(transaction, prepared, failures))
      if (written instanceof Promise) return written.finally(end).then(() => result)
    } catch (error) {
      end()
      throw error
    }
    end()
    return result
  }

  /**
   * Reads all items as of one instant.
   * @throws ServiceError
   */
  read(actions: readonly ReadAction[]): TransactionRead {
    const placed = placeActions(actions)
    const items = placed.map(({ action: { table }, placement: { key } }) => table.stored(key))
    const demands = placed.map((each, at) => readDemand(each, items[at]))
    const reasons = placed.map(({ action: { table }, placement: { key } }, at) => {
      const throttled = this.#throttleReason(table, demands.slice(at, at + 1))
      return throttled ?? (table.locks.holds(key) ? reasonOf(new ItemLocked()) : NO_REASON)
    })
    if (!reasons.some(isThrottle)) takeAll(demands, this.#parts.clock.now())
    if (reasons.some(({ Code }) => Code !== 'None')) throw cancelled(reasons)
    const bytes = items.reduce((sum, stored) => sum + (stored?.bytes ?? 0), 0)
    if (bytes > MAX_TRANSACTION_BYTES) {
      throw validationException(`Payload in response is too large.${bytes}`)
    }
    return { kind: 'read', items, units: demands.map(({ units }) => tableUnits(units)) }
  }

  /** Transactions that are on their way end without having happened. */
  close(): void {
    this.#isClosed = true
  }

  /** @throws ServiceError when the token belongs to another request, or its transaction has not ended yet. */
  #hasHappened({ region, token }: WriteTransaction): boolean {
    if (token === undefined) return false
    const running = this.#running.get(runningKey(region, token.text))
    const now = this.#parts.clock.now()
    const known = running ?? this.#tokens.find({ region, text: token.text }, now)
    if (known !== undefined && known !== token.fingerprint) {
      throw new ServiceError(
        'IdempotentParameterMismatchException',
        'DynamoDB rejected the request because you retried a request with a different payload but with an idempotent token that was already used.',
      )
    }
    if (running !== undefined) {
      throw new ServiceError(
        'TransactionInProgressException',
        'The transaction with the given request token is already in progress.',
      )
    }
    return known !== undefined
  }

  /**
   * Success again, for the price of reading the items.
   * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-apis-txwriteitems
   */
  #lookUp(actions: readonly WriteAction[]): TransactionWritten {
    const placed = placeActions(actions)
    const { clock, enforcement } = this.#parts
    const demands = placed.map((each) => readDemand(each, each.action.table.stored(each.placement.key)))
    for (const [at, { action }] of placed.entries()) {
      const refusal = refusalOf(demands.slice(at, at + 1), action.table.billingMode, clock.now(), enforcement)
      if (refusal !== undefined) throw refusal
    }
    takeAll(demands, clock.now())
    return { kind: 'read', units: demands.map(({ units }) => tableUnits(units)), writes: [] }
  }

  /**
   * Takes the units of all actions or of none. A transaction that is cancelled for another reason than throttling is
   * charged too, for its items but not for index entries that were never written.
   * @throws ServiceError TransactionCanceledException, with the reasons of all actions.
   */
  #admit(prepared: readonly PreparedAction[]): void {
    const isRefused = prepared.some(({ reason }) => reason.Code !== 'None')
    const charged: Demand[] = []
    const reasons: CancellationReason[] = []
    let isThrottled = false
    for (const { placed, demands, reason } of prepared) {
      const own = isRefused ? demands.slice(0, 1) : demands
      const throttled = this.#throttleReason(placed.action.table, own)
      if (throttled !== undefined) isThrottled = true
      charged.push(...own)
      reasons.push(throttled ?? reason)
    }
    if (!isThrottled) takeAll(charged, this.#parts.clock.now())
    if (isRefused || isThrottled) throw cancelled(reasons)
  }

  #throttleReason(table: Table, demands: readonly Demand[]): CancellationReason | undefined {
    const { clock, enforcement } = this.#parts
    const refusal = refusalOf(demands, table.billingMode, clock.now(), enforcement)
    return refusal === undefined ? undefined : reasonOf(refusal)
  }

  /** Holds all items, which are free, and the token. @returns what lets go of them. */
  #begin({ region, token }: WriteTransaction, prepared: readonly PreparedAction[]): () => void {
    if (token !== undefined) this.#running.set(runningKey(region, token.text), token.fingerprint)
    for (const { placed } of prepared) placed.action.table.locks.hold(placed.placement.key)
    return () => {
      for (const { placed } of prepared) placed.action.table.locks.release(placed.placement.key)
      if (token !== undefined) this.#running.delete(runningKey(region, token.text))
    }
  }

  #afterItsTime(commit: () => Awaitable<void>): Awaitable<void> {
    const { milliseconds, clock } = this.#parts
    return milliseconds === 0 ? commit() : clock.sleep(milliseconds).then(commit)
  }

  /**
   * Everything in one write of the store: items and index entries of all tables, and the token.
   * @param failures of the store when the transaction was judged: it may have been judged by what is no longer there.
   */
  #commit(
    { region, token }: WriteTransaction,
    prepared: readonly PreparedAction[],
    failures: number,
  ): Awaitable<void> {
    const { storage, clock } = this.#parts
    if (this.#isClosed || storage.failures !== failures) throw nothingHappened()
    const byTable = new Map<Table, PreparedWrite[]>()
    for (const action of prepared) {
      const { table } = action.placed.action
      this.#assertStillThere(region, table)
      const write = finalWrite(action)
      if (write === undefined) continue
      const ofTable = byTable.get(table)
      if (ofTable === undefined) byTable.set(table, [write])
      else ofTable.push(write)
    }
    const changes: Change[] = []
    const records: RecordChange[] = []
    for (const [table, writes] of byTable) {
      const part = table.storeWrite(writes)
      changes.push(...part.changes)
      records.push(...part.records)
    }
    if (token !== undefined) {
      const { text, fingerprint } = token
      changes.push(...this.#tokens.changesFor({ region, text }, fingerprint, clock.now()))
    }
    return storage.write(changes, records)
  }

  #assertStillThere(region: string, table: Table): void {
    if (this.#parts.catalog.get(region, table.definition.name) === table) return
    throw new ServiceError('ResourceNotFoundException', 'Requested resource not found')
  }
}

function readDemand(
  { action: { table }, placement: { key } }: Placed<ReadAction>,
  stored: StoredItem | undefined,
): Demand {
  const units = readUnits(stored?.bytes ?? 0, 'transactional')
  return { capacity: table.capacity, kind: 'read', key, units }
}

/** Region names have no slash, so no two tokens share a name. */
function runningKey(region: string, token: string): string {
  return `${region}/${token}`
}

function nothingHappened(): ServiceError {
  const message =
    'The engine was closed, or its store failed, while the transaction was on its way; nothing of it has happened.'
  return new ServiceError('InternalServerError', message, {}, 500)
}
