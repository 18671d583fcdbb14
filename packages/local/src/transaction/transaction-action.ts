import type { BoundCondition } from '@isotherm/semantics'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { StoredItem } from '../storage/ordered-map.js'
import type { Table } from '../table/table.js'

/** The key of an action's item, and the action's change of it. */
export interface Placement {
  readonly key: EncodedKey
  /**
   * Returns the item after the change, or `undefined` to delete it. Actions that only check have no such function.
   * @throws ServiceError or ValidationError when the change does not fit the existing item.
   */
  readonly change?: (before: StoredItem | undefined) => StoredItem | undefined
}

/** One action of a write transaction: decoded, with bound expressions, but not yet checked against its table. */
export interface WriteAction {
  readonly table: Table
  readonly condition: BoundCondition | undefined
  /** Whether a failed condition returns the existing item. */
  readonly returnsOld: boolean
  /** @throws ServiceError when the request does not fit the table. */
  place(): Placement
}

/** One read of a read transaction. */
export interface ReadAction {
  readonly table: Table
  /** @throws ServiceError when the key does not fit the table. */
  place(): Placement
}
