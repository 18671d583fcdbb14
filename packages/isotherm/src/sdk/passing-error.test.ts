import { expect, it } from 'vitest'
import { noResponse, serviceError } from '../../test/scripted-client.js'
import { hotPartitionError } from '../../test/throttling.js'
import { IsothermError } from '../errors/isotherm-error.js'
import { isPassing } from './passing-error.js'

it.each([
  ['a throttle', hotPartitionError()],
  [
    'a throttle of a full table',
    serviceError('ProvisionedThroughputExceededException', { $fault: 'client' }),
  ],
  ['an error of the server', serviceError('InternalServerError', { $fault: 'server' })],
  ['a lost response', noResponse()],
])('%s passes', (_what, error) => {
  expect(isPassing(error)).toBe(true)
})

it.each([
  ['a missing permission', serviceError('AccessDeniedException', { $fault: 'client' })],
  ['an invalid request', serviceError('ValidationException', { $fault: 'client' })],
  [
    'an error of the library',
    new IsothermError('policy.invalid', 'No number.', { table: 'log', value: undefined }),
  ],
  ["an error of the application's own code", new TypeError('a bug')],
  ['what is no error', 'a text'],
])('%s stays', (_what, error) => {
  expect(isPassing(error)).toBe(false)
})
