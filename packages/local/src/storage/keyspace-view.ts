import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { KeyRange } from '../keyspace/key-range.js'
import type { StoredItem } from './ordered-map.js'

/** A keyspace as it was at one moment, whatever has been written since. */
export interface KeyspaceView {
  /** The number of items. */
  readonly size: number
  /** The total size of all items in bytes. */
  readonly bytes: number
  /**
   * All items in the range, in key order. Do not let an iteration wait for anything, because it occupies the store.
   * @throws LocalError `local.closed` when the view is closed.
   */
  range(range: KeyRange): Iterable<readonly [EncodedKey, StoredItem]>
  /** Lets the store use the space again that old versions of items take. Closing a view twice is no error. */
  close(): void
}
