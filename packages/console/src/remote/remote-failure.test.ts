import { expect, it } from 'vitest'
import { remoteFailure } from './remote-failure.js'

it('an endpoint that does not answer is named by the flags of both commands that have this console', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:8000'), { code: 'ECONNREFUSED' })
  expect(remoteFailure('dynamodb:ListTables', refused).message).toBe(
    'dynamodb:ListTables failed: ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:8000. Check the address that --endpoint names, or --upstream of a proxy.',
  )
})
