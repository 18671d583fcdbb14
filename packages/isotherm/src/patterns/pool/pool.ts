import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { type Item, itemBytes, MAX_ITEM_BYTES, MAX_PARTITION_KEY_BYTES } from '@isotherm/semantics'
import {
  invalidOption,
  refuseUnknown,
  requireBoolean,
  requireInteger,
  requireObject,
  requireText,
} from '../../options/check.js'
import { actionForCaller } from '../caller-actions.js'
import { refuseHalfPairs } from '../half-pairs.js'
import type { StoredItem } from '../read-items.js'
import { type PatternClient, toSender } from '../sending/pattern-client.js'
import { keysOf, sparseIndexOf } from '../table-check/expected-table.js'
import { tableCheck, withTable } from '../table-check/table-check.js'
import type { PlainItem } from '../values/plain-item.js'
import { toItem } from '../values/to-attribute-value.js'
import { addByBatches, addIfNew } from './add-to-pool.js'
import { type Claim, claimFromPool } from './claim-from-pool.js'
import { type ClaimName, releaseClaim, useClaim, useUpdate } from './end-claim.js'
import { keyOf, ownAttributes, type PoolTarget, unusedAttributes } from './pool-items.js'
import { type PoolOptions, parsePoolOptions } from './pool-options.js'
import { poolSize } from './pool-size.js'

/** An item for the pool: its id, with attributes of your own if it has any. */
export type PoolMember = string | { readonly id: string; readonly attributes?: PlainItem | undefined }

/** Without room for what a claim writes, an item could not be claimed. */
const BYTES_OF_A_CLAIM = 256
const MAX_MEMBER_BYTES = MAX_ITEM_BYTES - BYTES_OF_A_CLAIM

/** Options of `add`. */
export interface AddOptions {
  /**
   * Adds by BatchWriteItem, 25 items a request, instead of one request for each item. An item that exists is **replaced**, even if it
   * was claimed or used: only for ids that were never added. The default is `false`.
   */
  readonly batches?: boolean | undefined
}

/** What came of adding items. */
export interface Added {
  readonly added: number
  /** Ids of items that existed already, which were left as they are. */
  readonly existing: readonly string[]
}

/** A pool of items, each of which is given to one claimer. */
export interface Pool {
  /**
   * Adds unused items. Those that exist are left alone.
   *
   * @throws IsothermError `options.invalid`, `options.unknown` or `pattern.value`, and nothing was written; `table.missing`, `table.differs` or `table.no-index`, and nothing was written; `pool.unprocessed`, with the ids that were not added
   */
  add(members: Iterable<PoolMember>, options?: AddOptions): Promise<Added>
  /**
   * Claims up to `count` items, 1 to 1,000 (default 1), and returns fewer if there are no more, or if a request fails after some were claimed.
   * No item is returned to two callers.
   */
  claim(count?: number): Promise<readonly Claim[]>
  /** Gives an item back. @throws IsothermError `pool.not-claimed` */
  release(claim: ClaimName): Promise<void>
  /** Marks an item as used for good. It stays in the table. @throws IsothermError `pool.not-claimed` */
  use(claim: ClaimName): Promise<void>
  /** The same as an action for a transaction of your own, in the form that your client takes. */
  useAction(claim: ClaimName): TransactWriteItem
  /** Counts the unused items. It reads all index entries: 0.5 read units for 4 KB of them. */
  size(): Promise<number>
}

/**
 * A pool of items that are claimed once: voucher codes, seats, prepared accounts.
 *
 * Unused items are found by a sparse index: only they have its key, spread over several values. `poolTable` returns the definition of
 * a table with this index.
 *
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example
 * const vouchers = pool(new DynamoDBClient({}), { table: 'vouchers', partitionKey: 'code' })
 * await vouchers.add(['A-1', 'A-2'])
 * const [voucher] = await vouchers.claim()
 * if (voucher !== undefined) await vouchers.use(voucher)
 */
export function pool(db: PatternClient, options: PoolOptions): Pool {
  const client = toSender('pool', db)
  const parsed = parsePoolOptions(options)
  const target: PoolTarget = { db: client, options: parsed }
  const requireTable = tableCheck(
    client,
    {
      pattern: 'pool',
      table: parsed.table,
      keys: keysOf(parsed),
      keyType: 'S',
      index: sparseIndexOf(client, 'pool', parsed, ['place', parsed.place]),
    },
    parsed.clock,
  )
  const checked = withTable(requireTable)
  return {
    add: async (members, given = {}) => {
      const { items, isBatched } = parseAdd(target, members, given)
      return checked(() => add(target, items, isBatched))
    },
    claim: async (count = 1) => {
      const wanted = requireInteger('pool.claim', count, 1, 1_000)
      return checked(() => claimFromPool(target, wanted))
    },
    release: async (claim) => {
      const name = requireClaim(claim)
      return checked(() => releaseClaim(target, name))
    },
    use: async (claim) => {
      const name = requireClaim(claim)
      return checked(() => useClaim(target, name))
    },
    useAction: (claim) => actionForCaller(db, { Update: useUpdate(target, requireClaim(claim)) }),
    size: () => checked(() => poolSize(target)),
  }
}

function parseAdd(target: PoolTarget, members: Iterable<PoolMember>, given: AddOptions) {
  requireObject('pool.add', given, 'an object of options, such as { batches: true }')
  refuseUnknown('pool.add', given, ['batches'])
  const isBatched = requireBoolean('pool.add.batches', given.batches ?? false)
  // All are checked before the first one is written.
  return { items: itemsOf(target, members), isBatched }
}

async function add(target: PoolTarget, items: readonly StoredItem[], isBatched: boolean): Promise<Added> {
  if (isBatched) {
    await addByBatches(target, items)
    return { added: items.length, existing: [] }
  }
  const existing = await addIfNew(target, items)
  return { added: items.length - existing.length, existing }
}

function itemsOf({ options }: PoolTarget, members: Iterable<PoolMember>): readonly StoredItem[] {
  if (typeof members === 'string' || typeof Object(members)[Symbol.iterator] !== 'function')
    throw invalidOption('pool.add', members, 'a list of ids, or of { id, attributes }')
  const known = new Set<string>()
  const reserved = [options.partitionKey, options.sortKey ?? options.partitionKey, ...ownAttributes(options)]
  return Array.from(members, (member) => {
    const { id, attributes = {} } = typeof member === 'string' ? { id: member } : Object(member)
    const text = requireText('pool.add: the id', id, 'text')
    if (typeof member !== 'string') refuseUnknown(`pool.add: ${text}`, member, ['id', 'attributes'])
    if (Buffer.byteLength(text) > MAX_PARTITION_KEY_BYTES)
      throw invalidOption('pool.add: the id', text, `text of at most ${MAX_PARTITION_KEY_BYTES} bytes`)
    refuseHalfPairs('pool.add: the id', text)
    if (known.has(text)) throw invalidOption('pool.add: the id', text, 'given once')
    known.add(text)
    const item = toItem(`pool.add: ${text}`, attributes)
    const taken = Object.keys(item).find((name) => reserved.includes(name))
    if (taken !== undefined)
      throw invalidOption(
        `pool.add: ${text}.${taken}`,
        attributes[taken],
        'left out: the pool has an attribute of this name',
      )
    const stored = { ...(item as StoredItem), ...unusedAttributes(options), ...keyOf(options, text) }
    const bytes = itemBytes(stored as Item)
    if (bytes > MAX_MEMBER_BYTES)
      throw invalidOption(`pool.add: ${text}`, `${bytes} bytes`, `at most ${MAX_MEMBER_BYTES} bytes`)
    return stored
  })
}

function requireClaim(claim: unknown): ClaimName {
  const { id, claim: name } = Object(claim)
  if (typeof id === 'string' && typeof name === 'string') return { id, claim: name }
  throw invalidOption('pool: the claim', claim, 'what claim() returned')
}
