import { attributeOf, type Item, itemBytes } from '@isotherm/semantics'
import { type EncodedKey, encodeKey } from '../keyspace/encoded-key.js'
import { rangeOfPartition } from '../keyspace/key-range.js'
import type { Change, OrderedMap, Storage, StoredItem } from '../storage/storage.js'

/**
 * How long a token protects its transaction, after the transaction has ended.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export const TOKEN_MILLISECONDS = 10 * 60 * 1000

/** Ten minutes of 400 transactions a second; beyond that the oldest tokens are forgotten before their time. */
const MAX_TOKENS = 250_000

/** Each new token takes away up to so many old ones: more than one, or they would pile up. */
const SWEPT_AT_ONCE = 4

/** Names without a slash, which no table's keyspace has. */
const TOKENS = 'transaction-tokens'
const EXPIRIES = 'transaction-token-expiries'
const BY_EXPIRY = [{ S: 'expiry' }] as const
const ALL_EXPIRIES = rangeOfPartition(BY_EXPIRY)

/** Who a transaction says it is: a client's token, in its region. */
export interface TransactionToken {
  readonly region: string
  readonly text: string
}

/**
 * The tokens of transactions that have succeeded. They lie in the store and are written together with what they protect,
 * so that both survive a crash or neither does; a second keyspace keeps them in the order of their expiry.
 */
export class IdempotencyTokens {
  readonly #storage: Storage
  readonly #maxTokens: number
  /** When the oldest of them expires, as far as that is known. */
  #sweepsAt = 0

  constructor(storage: Storage, maxTokens = MAX_TOKENS) {
    this.#storage = storage
    this.#maxTokens = maxTokens
  }

  /** The fingerprint of the request that used the token, unless that is too long ago. */
  find(token: TransactionToken, now: number): string | undefined {
    const stored = this.#tokens.latest(keyOf(token))
    return stored === undefined || expiryOf(stored) <= now ? undefined : textOf(stored, 'fingerprint')
  }

  /** What to write together with the transaction: its token, and the end of some that are too old. */
  changesFor(token: TransactionToken, fingerprint: string, now: number): readonly Change[] {
    const key = keyOf(token)
    const before = this.#tokens.latest(key)
    const expiresAt = Math.ceil(now + TOKEN_MILLISECONDS)
    const changes: Change[] = [
      { keyspace: TOKENS, key, before, after: storedItem({ fingerprint, expiresAt }) },
      expiryChange(token, expiresAt, undefined, storedItem({ region: token.region, token: token.text })),
    ]
    if (before !== undefined) changes.push(...this.#expiryRemoval(token, expiryOf(before)))
    changes.push(...this.#sweep(key, now))
    return changes
  }

  get #tokens(): OrderedMap {
    return this.#storage.open(TOKENS)
  }

  get #expiries(): OrderedMap {
    return this.#storage.open(EXPIRIES)
  }

  /** The oldest tokens, if they are expired or too many. `kept` is being written by the same transaction. */
  #sweep(kept: EncodedKey, now: number): Change[] {
    const changes: Change[] = []
    const surplus = this.#tokens.size + 1 - this.#maxTokens
    if (surplus <= 0 && now < this.#sweepsAt) return changes
    let seen = 0
    for (const [expiryKey, row] of this.#expiries.range(ALL_EXPIRIES)) {
      if (seen >= SWEPT_AT_ONCE) break
      const token = { region: textOf(row, 'region'), text: textOf(row, 'token') }
      const key = keyOf(token)
      const stored = this.#tokens.latest(key)
      if (seen >= surplus && (stored === undefined || expiryOf(stored) > now)) {
        if (stored !== undefined) this.#sweepsAt = expiryOf(stored)
        break
      }
      seen++
      // What a reader sees may have been swept by a write that is not durable yet.
      const isSwept = this.#expiries.latest(expiryKey) === undefined
      if (isSwept || stored === undefined || key === kept) continue
      changes.push({ keyspace: TOKENS, key, before: stored, after: undefined })
      changes.push(...this.#expiryRemoval(token, expiryOf(stored)))
    }
    return changes
  }

  #expiryRemoval(token: TransactionToken, expiresAt: number): Change[] {
    const row = this.#expiries.latest(expiryKeyOf(token, expiresAt))
    return row === undefined ? [] : [expiryChange(token, expiresAt, row, undefined)]
  }
}

function keyOf({ region, text }: TransactionToken): EncodedKey {
  return encodeKey([{ S: region }], [{ S: text }])
}

function expiryKeyOf({ region, text }: TransactionToken, expiresAt: number): EncodedKey {
  return encodeKey(BY_EXPIRY, [{ N: String(expiresAt) }, { S: region }, { S: text }])
}

function expiryChange(
  token: TransactionToken,
  expiresAt: number,
  before: StoredItem | undefined,
  after: StoredItem | undefined,
): Change {
  return { keyspace: EXPIRIES, key: expiryKeyOf(token, expiresAt), before, after }
}

function storedItem(members: { readonly [name: string]: string | number }): StoredItem {
  const item: Item = {}
  for (const [name, value] of Object.entries(members)) {
    item[name] = typeof value === 'number' ? { N: String(value) } : { S: value }
  }
  return { item, bytes: itemBytes(item) }
}

function expiryOf({ item }: StoredItem): number {
  const value = attributeOf(item, 'expiresAt')
  if (value === undefined || !('N' in value)) throw new TypeError('A stored token has no expiry.')
  return Number(value.N)
}

function textOf({ item }: StoredItem, name: 'fingerprint' | 'region' | 'token'): string {
  const value = attributeOf(item, name)
  if (value === undefined || !('S' in value)) throw new TypeError(`A stored token has no ${name}.`)
  return value.S
}
