import { expect, it } from 'vitest'
import { ValidationError } from './validation-error.js'

it('a broken rule is an error with a name, the code of the rule, and the text of the service', () => {
  const error = new ValidationError('number.overflow', 'Number overflow.')
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({ code: 'number.overflow', message: 'Number overflow.' })
  expect(String(error)).toBe('ValidationError: Number overflow.')
})
