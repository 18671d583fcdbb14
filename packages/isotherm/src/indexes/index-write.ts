import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { keyText, type LogicalKey } from '../keys/key.js'
import { throttleOf } from '../sdk/throttle.js'
import { throttleByIndex } from '../sdk/throttled-index.js'
import type { IndexCounts } from './index-counts.js'
import { isSameValue } from './same-value.js'

interface IndexWriteOptions {
  readonly counts: IndexCounts
  /** The value of the index's key, in the shard map. */
  readonly key: LogicalKey
  readonly shard: number
  /** The index's partition key attributes in DynamoDB. */
  readonly stored: Readonly<Record<string, AttributeValue>>
  readonly units: number
  /** Attempts of the same write in other shards. */
  readonly attemptsBefore: number
}

/** A write of one entry of an index, which is part of a write to the table. */
export class IndexWrite {
  readonly counts: IndexCounts
  readonly key: LogicalKey
  readonly #units: number
  readonly #shard: number
  readonly #stored: IndexWriteOptions['stored']
  readonly #isFirstChoice: boolean
  #attempts: number
  /** Whether a batch left the first attempt unprocessed, for which the service gives no reason. */
  #isUnexplained = false
  /** Whether it was counted as throttled. */
  #isCounted = false

  constructor({ counts, key, shard, stored, units, attemptsBefore }: IndexWriteOptions) {
    this.counts = counts
    this.key = key
    this.#units = units
    this.#shard = shard
    this.#stored = stored
    this.#isFirstChoice = attemptsBefore === 0
    this.#attempts = attemptsBefore
  }

  /** Whether an item has this entry. */
  isIn(item: Readonly<Record<string, AttributeValue>>): boolean {
    return Object.entries(this.#stored).every(([attribute, value]) => isSameValue(item[attribute], value))
  }

  /** Records an attempt, before it is sent. */
  sent(): void {
    this.#attempts += 1
    if (this.#attempts === 1) this.counts.offered(this.key, this.#units)
  }

  accepted(): void {
    this.counts.accepted(this.key, this.#units)
  }

  /** Records that the write to the table was throttled. It is evidence only if the reasons name the index. */
  refused(error: Error): void {
    const { counts, key } = this
    if (counts.names.every((name) => throttleByIndex(error, name) === undefined)) return
    const reasons = throttleOf(error)?.reasons ?? []
    counts.tell(key, { shard: this.#shard, attempt: this.#attempts, reasons })
    if (!this.isThrottledBy(error)) return
    // Where a batch is retried as a whole until it fails, this is the first reason that there is.
    const isFirst = !this.#isCounted && (this.#attempts === 1 || this.#isUnexplained)
    this.#isCounted ||= isFirst
    counts.throttled(key, this.#units, isFirst)
  }

  /** Records that a batch left it unprocessed, or another write with the same entry: only the entry is known of them. */
  leftUnprocessed(): void {
    if (this.#attempts === 1) this.#isUnexplained = true
  }

  /**
   * Records that a batch left the write unprocessed, for the reason that another write like it was given. Counts once,
   * in the first shard.
   */
  leftOut(): void {
    if (!this.#isFirstChoice || this.#isCounted) return
    this.#isCounted = true
    this.counts.throttled(this.key, this.#units, true)
  }

  /** Whether a partition of the index has throttled a write with the error. */
  isThrottledBy(error: Error): boolean {
    return this.counts.names.some((name) => throttleByIndex(error, name) === 'partition')
  }

  /** Whether both are in the same index under the same value. */
  isLike({ counts, key }: IndexWrite): boolean {
    return this.counts === counts && keyText(this.key) === keyText(key)
  }
}

const writes = new WeakMap<AttributeValue, IndexWrite>()

/**
 * Remembers what the attribute that the library adds to an item is for. The attribute itself is the key, because it
 * stays the same object when an operation builds its physical requests.
 */
export function noteIndexWrite(added: AttributeValue, write: IndexWrite): void {
  writes.set(added, write)
}

interface Put {
  readonly Item?: Readonly<Record<string, AttributeValue>> | undefined
}

interface Update {
  readonly ExpressionAttributeValues?: Readonly<Record<string, AttributeValue>> | undefined
}

/** The members with items in the inputs of all commands that write. */
interface Written extends Put, Update {
  readonly RequestItems?: Readonly<Record<string, readonly { readonly PutRequest?: Put }[]>>
  readonly TransactItems?: readonly { readonly Put?: Put; readonly Update?: Update }[]
}

/** The writes of index entries in a physical request. */
export function indexWritesIn(input: object): readonly IndexWrite[] {
  const { Item, ExpressionAttributeValues, RequestItems, TransactItems }: Written = input
  if (Item !== undefined) return notedIn(Item)
  if (ExpressionAttributeValues !== undefined) return notedIn(ExpressionAttributeValues)
  if (TransactItems !== undefined) {
    return TransactItems.flatMap(({ Put, Update }) => notedIn(Put?.Item ?? Update?.ExpressionAttributeValues))
  }
  if (RequestItems === undefined || Object.values(RequestItems).some((member) => !Array.isArray(member)))
    return []
  return Object.values(RequestItems).flatMap((list) =>
    list.flatMap(({ PutRequest }) => notedIn(PutRequest?.Item)),
  )
}

export function notedIn(
  attributes: Readonly<Record<string, AttributeValue>> | undefined,
): readonly IndexWrite[] {
  if (attributes === undefined) return []
  const found: IndexWrite[] = []
  for (const value of Object.values(attributes)) {
    const write = writes.get(value)
    if (write !== undefined) found.push(write)
  }
  return found
}
