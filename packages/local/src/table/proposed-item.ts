import { ValidationError } from '@isotherm/semantics'
import { ServiceError } from '../errors/service-error.js'
import type { StoredItem } from '../storage/ordered-map.js'

/**
 * The item that a write would have made if its condition had been true. A failed write is charged for it if it is
 * larger than the existing item. `undefined` when the item cannot be computed, as when an update adds to an attribute
 * that is not a number. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
export function proposedItem(make: () => StoredItem | undefined): StoredItem | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof ValidationError || error instanceof ServiceError) return undefined
    throw error
  }
}
