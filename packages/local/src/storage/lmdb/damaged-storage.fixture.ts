import type { EncodedKey } from '../../keyspace/encoded-key.js'
import { MemoryStorage } from '../memory-storage.js'
import type { OrderedMap, StoredItem } from '../ordered-map.js'
import { storedDamage } from './stored-damage.js'

/** A store in memory whose ranges end with an error of damage, behind some entries. */
export class DamagedStorage extends MemoryStorage {
  /** How many entries of a range can be read. */
  intact = Number.POSITIVE_INFINITY

  override open(name: string): OrderedMap {
    const map = super.open(name)
    return {
      get size() {
        return map.size
      },
      get bytes() {
        return map.bytes
      },
      get: (key) => map.get(key),
      latest: (key) => map.latest(key),
      range: (range, reverse) => this.#upToDamage(map.range(range, reverse)),
    }
  }

  *#upToDamage(entries: Iterable<readonly [EncodedKey, StoredItem]>) {
    let read = 0
    for (const entry of entries) {
      if (read++ === this.intact) throw storedDamage('data/items.mdb', 'a row does not match its checksum')
      yield entry
    }
  }
}
