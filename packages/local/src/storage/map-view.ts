import { LocalError } from '../errors/local-error.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { KeyRange } from '../keyspace/key-range.js'
import type { KeyspaceView } from './keyspace-view.js'
import type { OrderedMap, StoredItem } from './ordered-map.js'

/** A view of a map that never changes. Nothing reads the map once the view is closed, not even an open iteration. */
export class MapView implements KeyspaceView {
  readonly #map: OrderedMap
  readonly #onClose: (view: MapView) => void
  #isClosed = false

  constructor(map: OrderedMap, onClose: (view: MapView) => void = () => {}) {
    this.#map = map
    this.#onClose = onClose
  }

  get size(): number {
    return this.#map.size
  }

  get bytes(): number {
    return this.#map.bytes
  }

  *range(range: KeyRange): Iterable<readonly [EncodedKey, StoredItem]> {
    this.#assertOpen()
    for (const entry of this.#map.range(range)) {
      yield entry
      this.#assertOpen()
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#onClose(this)
  }

  #assertOpen(): void {
    if (this.#isClosed) {
      throw new LocalError('local.closed', 'The view of a keyspace is closed: nothing can be read from it.')
    }
  }
}
