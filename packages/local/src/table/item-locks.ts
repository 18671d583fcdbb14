import type { EncodedKey } from '../keyspace/encoded-key.js'

/** An item that a transaction is writing or checking at this moment. Nothing was taken and nothing was changed. */
export class ItemLocked extends Error {
  override readonly name = 'ItemLocked'

  constructor() {
    super('Transaction is ongoing for the item')
  }
}

/**
 * The items of a table that running transactions hold. A transaction holds all of its items or none, so that nobody
 * ever waits: whoever meets a held item is refused, as on the service.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-conflict-handling
 */
export class ItemLocks {
  readonly #held = new Set<EncodedKey>()

  holds(key: EncodedKey): boolean {
    return this.#held.size > 0 && this.#held.has(key)
  }

  /** @throws ItemLocked */
  assertFree(key: EncodedKey): void {
    if (this.holds(key)) throw new ItemLocked()
  }

  /** The item must be free. */
  hold(key: EncodedKey): void {
    this.assertFree(key)
    this.#held.add(key)
  }

  release(key: EncodedKey): void {
    this.#held.delete(key)
  }
}
