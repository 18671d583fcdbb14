import { TRANSACTION_CONFLICT_TEXT } from '@isotherm/semantics'
import type { EncodedKey } from '../keyspace/encoded-key.js'

/** The item is in use by a running transaction. No units were taken and no data was changed. */
export class ItemLocked extends Error {
  override readonly name = 'ItemLocked'

  constructor() {
    super(TRANSACTION_CONFLICT_TEXT)
  }
}

/**
 * The items of a table that running transactions hold. A transaction holds all of its items or none, and nothing ever
 * waits: a request for a held item fails at once, as on the service. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-conflict-handling
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

  /** Holds an item. @throws ItemLocked when another transaction holds it. */
  hold(key: EncodedKey): void {
    this.assertFree(key)
    this.#held.add(key)
  }

  release(key: EncodedKey): void {
    this.#held.delete(key)
  }
}
