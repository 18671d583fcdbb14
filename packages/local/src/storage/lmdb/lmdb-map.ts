import type { EncodedKey } from '../../keyspace/encoded-key.js'
import type { KeyRange } from '../../keyspace/key-range.js'
import type { Change, OrderedMap, StoredItem } from '../ordered-map.js'
import type { KeyLayers } from './key-layers.js'
import { decodeStoredItem, EncodedItem } from './stored-item-codec.js'
import type { KeyspaceRow } from './system-rows.js'
import type { WriteBatch } from './write-batch.js'

/** A written item that is not durable yet, and the batch that commits it. */
interface PendingItem {
  readonly after: StoredItem | undefined
  readonly batch: WriteBatch
}

/** A keyspace as rows of the database, plus the writes that are not durable yet. */
export class LmdbMap implements OrderedMap {
  readonly #layers: KeyLayers
  readonly #pending = new Map<EncodedKey, PendingItem>()
  #durable: KeyspaceRow | undefined
  size: number
  bytes: number

  /** @param durable `undefined` while no write to the keyspace is durable. */
  constructor(layers: KeyLayers, durable?: KeyspaceRow) {
    this.#layers = layers
    this.#durable = durable
    this.size = durable?.size ?? 0
    this.bytes = durable?.bytes ?? 0
  }

  get durable(): KeyspaceRow | undefined {
    return this.#durable
  }

  get(key: EncodedKey): StoredItem | undefined {
    if (this.#durable === undefined) return undefined
    const value = this.#layers.get(this.#durable.root, key)
    return value === undefined ? undefined : this.#decoded(value)
  }

  latest(key: EncodedKey): StoredItem | undefined {
    const pending = this.#pending.get(key)
    return pending === undefined ? this.get(key) : pending.after
  }

  *range(range: KeyRange, reverse = false): Iterable<readonly [EncodedKey, StoredItem]> {
    if (this.#durable === undefined) return
    for (const { key, value } of this.#layers.range(this.#durable.root, range, reverse)) {
      yield [key as EncodedKey, this.#decoded(value)]
    }
  }

  /** Shows a change to writers before its commit makes it durable. */
  apply({ key, before, after }: Change, batch: WriteBatch): void {
    this.#pending.set(key, { after, batch })
    this.size += Number(after !== undefined) - Number(before !== undefined)
    this.bytes += (after?.bytes ?? 0) - (before?.bytes ?? 0)
  }

  /** Called when a batch is durable. Readers then find its items in the database. */
  settle(batch: WriteBatch, keys: Iterable<EncodedKey>, durable: KeyspaceRow): void {
    this.#durable = durable
    for (const key of keys) {
      if (this.#pending.get(key)?.batch === batch) this.#pending.delete(key)
    }
  }

  /** Returns to the durable state. */
  forget(): void {
    this.#pending.clear()
    this.size = this.#durable?.size ?? 0
    this.bytes = this.#durable?.bytes ?? 0
  }

  /** Called when the keyspace has been removed from the database. */
  empty(): void {
    this.#durable = undefined
    this.forget()
  }

  /** A row with a checksum can always be decoded. Those of format version 1 have none, so they are decoded at once. */
  #decoded(value: Buffer): StoredItem {
    if (!this.#layers.mayHaveUnsealedRows) return new EncodedItem(value)
    try {
      return decodeStoredItem(value)
    } catch (error) {
      throw this.#layers.damage('an item cannot be decoded', error)
    }
  }
}
