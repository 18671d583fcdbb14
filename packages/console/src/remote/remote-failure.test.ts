import { expect, it } from 'vitest'
import { remoteFailure } from './remote-failure.js'

it('an endpoint that does not answer is named by the flags of both commands that have this console', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:8000'), { code: 'ECONNREFUSED' })
  expect(remoteFailure('dynamodb:ListTables', refused).message).toBe(
    'dynamodb:ListTables failed: ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:8000. Check the address: --upstream for a proxy, otherwise --endpoint.',
  )
})

it('a region that the endpoint does not serve is not taken for wrong credentials', () => {
  const text =
    "Credential should be scoped to a valid region, not 'us-east-1': this proxy serves eu-central-1."
  const refused = Object.assign(new Error(text), { name: 'InvalidSignatureException' })
  expect(remoteFailure('dynamodb:ListTables', refused).message).toBe(
    `dynamodb:ListTables failed: InvalidSignatureException: ${text} Give the region of the endpoint with --region.`,
  )
})
