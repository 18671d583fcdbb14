import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { StoredItem } from '../storage/ordered-map.js'
import type { Storage } from '../storage/storage.js'
import type { Table } from '../table/table.js'

/** How much one write holds. */
const MAX_ITEMS = 1_000
const MAX_BYTES = 4 * 1024 * 1024

/**
 * Writes the items of an import to its table, many at a time, and no capacity is consumed. Of several items with one key the
 * last one remains. Indexes are filled later.
 */
export class ImportWriter {
  readonly #table: Table
  readonly #storage: Storage
  readonly #signal: AbortSignal
  readonly #items = new Map<EncodedKey, StoredItem>()
  #bytes = 0

  /** @param signal ends the import. Nothing is written to the table afterwards. */
  constructor(table: Table, storage: Storage, signal: AbortSignal) {
    this.#table = table
    this.#storage = storage
    this.#signal = signal
  }

  get isFull(): boolean {
    return this.#items.size >= MAX_ITEMS || this.#bytes >= MAX_BYTES
  }

  put(stored: StoredItem): void {
    this.#items.set(this.#table.encodeKey(stored.item), stored)
    this.#bytes += stored.bytes
  }

  async flush(): Promise<void> {
    this.#signal.throwIfAborted()
    if (this.#items.size === 0) return
    const { keyspace, items } = this.#table
    const changes = [...this.#items].map(([key, after]) => ({
      keyspace,
      key,
      before: items.latest(key),
      after,
    }))
    this.#items.clear()
    this.#bytes = 0
    await this.#storage.write(changes)
  }
}
