import type { BoundCondition } from '@isotherm/semantics'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { StoredItem } from '../storage/storage.js'
import type { Table } from '../table/table.js'

/** Where an action's item lies, and what the action makes of it. */
export interface Placement {
  readonly key: EncodedKey
  /**
   * The item afterwards, or nothing if it shall be gone. Actions that only check have no such function.
   * @throws ServiceError or ValidationError when the item that is there does not fit.
   */
  readonly change?: (before: StoredItem | undefined) => StoredItem | undefined
}

/** One action of a transaction that writes: decoded, its expressions bound, but not yet held against its table. */
export interface WriteAction {
  readonly table: Table
  readonly condition: BoundCondition | undefined
  /** Whether a failed condition shows the item it failed on. */
  readonly returnsOld: boolean
  /** @throws ServiceError when what the request gives does not fit the table. */
  place(): Placement
}

/** One read of a transaction that reads. */
export interface ReadAction {
  readonly table: Table
  /** @throws ServiceError when the key does not fit the table. */
  place(): Placement
}
