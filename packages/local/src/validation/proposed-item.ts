import { ValidationError } from '@isotherm/semantics'
import type { StoredItem } from '../storage/storage.js'
import { ServiceError } from '../wire/service-error.js'

/**
 * The item that a write would have made whose condition does not hold: it is charged for, if it is the larger one. Nothing
 * where not even that could have been made, as when an update adds to what is no number.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
export function proposedItem(make: () => StoredItem | undefined): StoredItem | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof ValidationError || error instanceof ServiceError) return undefined
    throw error
  }
}
