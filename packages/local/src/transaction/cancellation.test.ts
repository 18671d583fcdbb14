import { ValidationError } from '@isotherm/semantics'
import { describe, expect, it } from 'vitest'
import { RefusedAtOnce } from '../errors/refused-at-once.js'
import { ServiceError, validationException } from '../errors/service-error.js'
import { reasonOf } from './cancellation.js'

describe('the error of an action', () => {
  it.each([validationException('bad key'), new ValidationError('update.operand-type', 'bad key')])(
    'is a reason to cancel the transaction if the action is invalid: %s',
    (error) => {
      expect(reasonOf(error)).toEqual({ Code: 'ValidationError', Message: 'bad key' })
    },
  )

  it.each([
    new RefusedAtOnce('The item is too large.'),
    new ServiceError('ResourceNotFoundException', 'There is no such table.'),
    new TypeError('a bug of the engine'),
  ])('is that of the whole request otherwise: %s', (error) => {
    expect(() => reasonOf(error)).toThrow(error)
  })
})
