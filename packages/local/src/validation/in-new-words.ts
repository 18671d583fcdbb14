import { ValidationError } from '@isotherm/semantics'
import { RefusedAtOnce } from '../errors/refused-at-once.js'
import { ServiceError, validationException } from '../errors/service-error.js'

const COUNT = '1 validation error detected: '

/**
 * Reads the part of a request that needs no table. Its errors carry a count, as those of the service's new validation
 * do: in 31 of 33 regions by October 2026, for PutItem, UpdateItem and DeleteItem.
 * @throws ServiceError
 */
export function inNewWords<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    // Sizes are checked by another component.
    if (error instanceof RefusedAtOnce) throw error
    const isInvalid =
      error instanceof ValidationError ||
      (error instanceof ServiceError && error.name === 'ValidationException')
    if (isInvalid && !error.message.startsWith(COUNT)) throw validationException(`${COUNT}${error.message}`)
    throw error
  }
}
