import type { Clock } from '@isotherm/runtime'
import { MAX_TRANSACTION_BYTES, readUnits } from '@isotherm/semantics'
import { type Demand, type Enforcement, refusalOf, takeAll } from '../capacity/admission.js'
import type { Catalog } from '../catalog/catalog.js'
import { resourceNotFound, ServiceError, validationException } from '../errors/service-error.js'
import type { Change, StoredItem } from '../storage/ordered-map.js'
import type { RecordChange } from '../storage/record.js'
import type { Awaitable, Storage } from '../storage/storage.js'
import { ItemLocked } from '../table/item-locks.js'
import { type ItemWrite, type PreparedWrite, tableUnits, type WriteUnits } from '../table/item-write.js'
import type { Table } from '../table/table.js'
import { type CancellationReason, cancelled, isThrottle, NO_REASON, reasonOf } from './cancellation.js'
import { roomReasons } from './collection-room.js'
import { IdempotencyTokens } from './idempotency-tokens.js'
import { type Placed, placeActions } from './place-actions.js'
import { finalWrite, type PreparedAction, prepareActions } from './prepared-action.js'
import type { RequestToken } from './request-token.js'
import type { ReadAction, WriteAction } from './transaction-action.js'

/** The dependencies of transactions. */
export interface TransactionParts {
  readonly storage: Storage
  readonly clock: Clock
  readonly catalog: Catalog
  readonly enforcement: Enforcement
  /** The minimum time for which a transaction holds its items. At 0, a store in memory commits at once. */
  readonly milliseconds: number
}

/** A write transaction. */
export interface WriteTransaction {
  readonly region: string
  /** At least one action. No two concern the same item. */
  readonly actions: readonly WriteAction[]
  /** The client's token, and the fingerprint of its request. */
  readonly token?: RequestToken | undefined
}

/**
 * Units consumed by each action. They are read units when the transaction had been executed before and was only looked
 * up.
 */
export interface TransactionUnits {
  readonly kind: 'read' | 'write'
  readonly units: readonly WriteUnits[]
}

/**
 * An executed transaction: the writes of its actions. An action that only checks has none, and neither has a repeated
 * transaction.
 */
export interface TransactionWritten extends TransactionUnits {
  readonly writes: readonly (ItemWrite | undefined)[]
}

/** The item that each action read. */
export interface TransactionRead extends TransactionUnits {
  readonly items: readonly (StoredItem | undefined)[]
}

/**
 * Changes several items atomically, or reads them as of one moment.
 *
 * A write transaction is checked at once against the existing items. Then it holds its items for a while, as the
 * service does between prepare and commit. Any other write to one of them is rejected. At the end all changes are
 * written in one step. Until then none of them are visible. The items that decided the checks cannot change meanwhile,
 * because they are held too. So executing the transactions one at a time, in the order in which they end, gives the
 * same result.
 */
export class Transactions {
  readonly #parts: TransactionParts
  readonly #tokens: IdempotencyTokens
  /** Fingerprints of the requests of running transactions, by region and token. */
  readonly #running = new Map<string, string>()
  #isClosed = false

  constructor(parts: TransactionParts) {
    this.#parts = parts
    this.#tokens = new IdempotencyTokens(parts.storage)
  }

  /**
   * Executes all actions or none.
   * @throws ServiceError, or Throttled when looking up an earlier execution exceeds the capacity.
   */
  write(transaction: WriteTransaction): Awaitable<TransactionWritten> {
    if (this.#hasHappened(transaction)) return this.#lookUp(transaction.actions)
    const prepared = prepareActions(placeActions(transaction.actions))
    this.#admit(prepared)
    this.#begin(transaction, prepared)
    const { clock, milliseconds, storage } = this.#parts
    const { failures } = storage
    const commit = () => this.#commitAndEnd(transaction, prepared, failures)
    if (milliseconds === 0) return commit()
    return clock.sleep(milliseconds).then(commit, (error: unknown) => {
      this.#end(transaction, prepared)
      throw error
    })
  }

  /**
   * Reads all items as of one moment.
   * @throws ServiceError
   */
  read(actions: readonly ReadAction[]): TransactionRead {
    const placed = placeActions(actions)
    const items = placed.map(({ action: { table }, placement: { key } }) => table.stored(key))
    const demands = placed.map((each, at) => readDemand(each, items[at]))
    const now = this.#parts.clock.now()
    const reasons = placed.map(({ action: { table }, placement: { key } }, at) => {
      const throttled = this.#throttleReason(table, demands.slice(at, at + 1), now)
      return throttled ?? (table.locks.holds(key) ? reasonOf(new ItemLocked()) : NO_REASON)
    })
    if (!reasons.some(isThrottle)) takeAll(demands, now)
    if (reasons.some(({ Code }) => Code !== 'None')) throw cancelled(reasons)
    const bytes = items.reduce((sum, stored) => sum + (stored?.bytes ?? 0), 0)
    if (bytes > MAX_TRANSACTION_BYTES) {
      throw validationException(`Payload in response is too large.${bytes}`)
    }
    return { kind: 'read', items, units: demands.map(({ units }) => tableUnits(units)) }
  }

  /** Running transactions are cancelled. */
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
   * Succeeds again, for the cost of reading the items. Source:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-apis-txwriteitems
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
   * Takes the units of all actions, or none. A transaction cancelled for a reason other than throttling is charged for
   * its items, but not for index entries that it never wrote.
   * @throws ServiceError TransactionCanceledException, with the reasons of all actions.
   */
  #admit(prepared: readonly PreparedAction[]): void {
    const now = this.#parts.clock.now()
    const isRefused = prepared.some(({ reason }) => reason.Code !== 'None')
    const charged: Demand[] = []
    const reasons: CancellationReason[] = []
    let isThrottled = false
    for (const { placed, demands, units, reason } of prepared) {
      // The first demand is that of the item, and includes its entries in local indexes.
      const own = isRefused
        ? demands.slice(0, 1).map((demand) => ({ ...demand, units: units.table }))
        : demands
      const throttled = this.#throttleReason(placed.action.table, own, now)
      if (throttled !== undefined) isThrottled = true
      charged.push(...own)
      reasons.push(throttled ?? reason)
    }
    if (!isThrottled) takeAll(charged, now)
    if (isRefused || isThrottled) throw cancelled(reasons)
  }

  #throttleReason(table: Table, demands: readonly Demand[], now: number): CancellationReason | undefined {
    const refusal = refusalOf(demands, table.billingMode, now, this.#parts.enforcement)
    return refusal === undefined ? undefined : reasonOf(refusal)
  }

  /** Holds all items, which must be free, and the token. */
  #begin({ region, token }: WriteTransaction, prepared: readonly PreparedAction[]): void {
    if (token !== undefined) this.#running.set(runningKey(region, token.text), token.fingerprint)
    for (const { placed } of prepared) placed.action.table.locks.hold(placed.placement.key)
  }

  /** Releases all items and the token. */
  #end({ region, token }: WriteTransaction, prepared: readonly PreparedAction[]): void {
    for (const { placed } of prepared) placed.action.table.locks.release(placed.placement.key)
    if (token !== undefined) this.#running.delete(runningKey(region, token.text))
  }

  /** Commits a transaction, and releases what it holds when it is durable or has failed. */
  #commitAndEnd(
    transaction: WriteTransaction,
    prepared: readonly PreparedAction[],
    failures: number,
  ): Awaitable<TransactionWritten> {
    let written: Awaitable<void>
    try {
      written = this.#commit(transaction, prepared, failures)
    } catch (error) {
      this.#end(transaction, prepared)
      throw error
    }
    if (written instanceof Promise) {
      return written.finally(() => this.#end(transaction, prepared)).then(() => resultOf(prepared))
    }
    this.#end(transaction, prepared)
    return resultOf(prepared)
  }

  /**
   * Writes everything at once: items and index entries of all tables, and the token.
   * @param failures the store's count of failed commits when the transaction was checked. If it has changed, the checks
   * may have used data that was lost.
   */
  #commit(
    { region, token }: WriteTransaction,
    prepared: readonly PreparedAction[],
    failures: number,
  ): Awaitable<void> {
    const { storage, clock } = this.#parts
    if (this.#isClosed || storage.failures !== failures) throw nothingHappened()
    let found: Table | undefined
    for (const { placed } of prepared) {
      const { table } = placed.action
      // Most transactions concern one table.
      if (table !== found) this.#assertStillThere(region, table)
      found = table
    }
    const byTable = new Map<Table, PreparedWrite[]>()
    for (const { table, write } of finalWrites(prepared)) {
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
    throw resourceNotFound()
  }
}

function resultOf(prepared: readonly PreparedAction[]): TransactionWritten {
  return {
    kind: 'write',
    units: prepared.map(({ units }) => units),
    writes: prepared.map(({ write }) => write),
  }
}

/** @throws ServiceError TransactionCanceledException when other writes have filled an item collection meanwhile. */
function finalWrites(prepared: readonly PreparedAction[]) {
  const finals = prepared.map((action) => {
    const write = finalWrite(action)
    return { table: action.placed.action.table, write, growth: write?.growth }
  })
  if (finals.every(({ growth }) => growth === undefined)) return finals
  const reasons = roomReasons(finals)
  if (reasons.some((reason) => reason !== NO_REASON)) throw cancelled(reasons)
  return finals
}

function readDemand(
  { action: { table }, placement: { key } }: Placed<ReadAction>,
  stored: StoredItem | undefined,
): Demand {
  const units = readUnits(stored?.bytes ?? 0, 'transactional')
  return { capacity: table.capacity, kind: 'read', key, units }
}

/** Region names contain no slash, so every token has a unique key. */
function runningKey(region: string, token: string): string {
  return `${region}/${token}`
}

function nothingHappened(): ServiceError {
  const message =
    'The engine was closed, or its store failed, while the transaction was on its way; nothing of it has happened.'
  return new ServiceError('InternalServerError', message, {}, 500)
}
