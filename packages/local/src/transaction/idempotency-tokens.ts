import { attributeOf, type Item, itemBytes } from '@isotherm/semantics'
import { isDamage } from '../errors/is-damage.js'
import { type EncodedKey, encodeKey } from '../keyspace/encoded-key.js'
import { rangeOfPartition } from '../keyspace/key-range.js'
import type { Change, OrderedMap, StoredItem } from '../storage/ordered-map.js'
import type { Storage } from '../storage/storage.js'

/**
 * How long a token protects its transaction, counted from the end of the transaction. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export const TOKEN_MILLISECONDS = 10 * 60 * 1000

/** Enough for ten minutes of 400 transactions per second. Beyond that, the oldest tokens are removed early. */
const MAX_TOKENS = 250_000

/** Each new token removes up to this many old ones. One would not be enough to shrink a backlog. */
const SWEPT_AT_ONCE = 4

/** These names contain no slash, so they differ from the keyspace of every table. */
const TOKENS = 'transaction-tokens'
const EXPIRIES = 'transaction-token-expiries'
const BY_EXPIRY = [{ S: 'expiry' }] as const
const ALL_EXPIRIES = rangeOfPartition(BY_EXPIRY)

/** The identity of a transaction: the client's token, within its region. */
export interface TransactionToken {
  readonly region: string
  readonly text: string
}

/**
 * The tokens of transactions that have succeeded. Each is written in the store together with its transaction, so that
 * both survive a crash or neither does. A second keyspace orders them by expiry.
 */
export class IdempotencyTokens {
  readonly #storage: Storage
  readonly #maxTokens: number
  /** When the oldest token expires, as far as known. */
  #sweepsAt = 0
  /** Whether a damaged row has ended the removal of old tokens. */
  #isDamaged = false
  /** When this process was first asked for a token. */
  #firstAskedAt: number | undefined

  constructor(storage: Storage, maxTokens = MAX_TOKENS) {
    this.#storage = storage
    this.#maxTokens = maxTokens
  }

  /** The fingerprint of the request that used the token, unless the token has expired. */
  find(token: TransactionToken, now: number): string | undefined {
    this.#firstAskedAt ??= now
    const stored = this.#tokens.latest(keyOf(token))
    if (stored === undefined) return undefined
    const expiresAt = expiryOf(stored)
    // The clock of the process that wrote it was ahead: fast time starts at the present in each process.
    const isAhead = expiresAt > Math.ceil(now + TOKEN_MILLISECONDS)
    const until = isAhead ? this.#firstAskedAt + TOKEN_MILLISECONDS : expiresAt
    return until <= now ? undefined : textOf(stored, 'fingerprint')
  }

  /** The changes to write together with the transaction: its token, and the removal of some expired ones. */
  changesFor(token: TransactionToken, fingerprint: string, now: number): readonly Change[] {
    const key = keyOf(token)
    const before = this.#tokens.latest(key)
    const expiresAt = Math.ceil(now + TOKEN_MILLISECONDS)
    const row = storedItem({ fingerprint: { S: fingerprint }, expiresAt: { N: String(expiresAt) } })
    const expiry = storedItem({ region: { S: token.region }, token: { S: token.text } })
    const changes: Change[] = [
      { keyspace: TOKENS, key, before, after: row },
      expiryChange(token, expiresAt, undefined, expiry),
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

  /** Removes the oldest tokens, if they have expired or there are too many. The same transaction is writing `kept`. */
  #sweep(kept: EncodedKey, now: number): Change[] {
    const changes: Change[] = []
    const surplus = this.#tokens.size + 1 - this.#maxTokens
    if (this.#isDamaged || (surplus <= 0 && now < this.#sweepsAt)) return changes
    try {
      this.#sweepInto(changes, kept, surplus, now)
    } catch (error) {
      if (!isDamage(error)) throw error
      // The transaction must not fail for it. Expired tokens stay until the next start.
      this.#isDamaged = true
    }
    return changes
  }

  #sweepInto(changes: Change[], kept: EncodedKey, surplus: number, now: number): void {
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
      // A reader may see tokens that were removed by a write that is not durable yet.
      const isSwept = this.#expiries.latest(expiryKey) === undefined
      if (isSwept || stored === undefined || key === kept) continue
      changes.push({ keyspace: TOKENS, key, before: stored, after: undefined })
      changes.push(...this.#expiryRemoval(token, expiryOf(stored)))
    }
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

function storedItem(item: Item): StoredItem {
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
