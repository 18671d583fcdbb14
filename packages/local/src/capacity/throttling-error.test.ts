import { describe, expect, it } from 'vitest'
import { Throttled, type ThrottlingReason } from './throttled.js'
import { throttlingError, throttlingText } from './throttling-error.js'
import type { BillingMode } from './throughput.js'

function throttled(billingMode: BillingMode, ...reasons: readonly ThrottlingReason[]): Throttled {
  const [first, ...others] = reasons.map((reason) => ({ reason, resource: 'arn' }))
  if (first === undefined) return expect.fail('There is a reason.')
  return new Throttled(billingMode, [first, ...others])
}

const ON_DEMAND = 'PAY_PER_REQUEST'

describe('the error of a throttled request', () => {
  it.each<[string, Throttled, string, RegExp]>([
    [
      'a provisioned table',
      throttled('PROVISIONED', 'TableWriteProvisionedThroughputExceeded'),
      'ProvisionedThroughputExceededException',
      /provisioned throughput for the table was exceeded.*UpdateTable API\.$/,
    ],
    [
      'a partition of a provisioned table',
      throttled('PROVISIONED', 'TableReadKeyRangeThroughputExceeded'),
      'ProvisionedThroughputExceededException',
      /provisioned throughput for the table was exceeded/,
    ],
    [
      'provisioned indexes alone',
      throttled(
        'PROVISIONED',
        'IndexWriteProvisionedThroughputExceeded',
        'IndexWriteKeyRangeThroughputExceeded',
      ),
      'ProvisionedThroughputExceededException',
      /one or more global secondary indexes of the table was exceeded/,
    ],
    [
      'a provisioned table and its index',
      throttled(
        'PROVISIONED',
        'IndexWriteProvisionedThroughputExceeded',
        'TableWriteProvisionedThroughputExceeded',
      ),
      'ProvisionedThroughputExceededException',
      /for the table was exceeded/,
    ],
    [
      'an on-demand maximum',
      throttled(ON_DEMAND, 'TableWriteMaxOnDemandThroughputExceeded'),
      'ThrottlingException',
      /^Throughput exceeds the maximum OnDemandThroughput configured on table or index$/,
    ],
    [
      'an on-demand maximum and a partition',
      throttled(ON_DEMAND, 'IndexWriteKeyRangeThroughputExceeded', 'IndexWriteMaxOnDemandThroughputExceeded'),
      'ThrottlingException',
      /maximum OnDemandThroughput/,
    ],
    [
      'a partition of an on-demand table',
      throttled(ON_DEMAND, 'TableWriteKeyRangeThroughputExceeded'),
      'ThrottlingException',
      /current capacity of your table or index.*hot key/,
    ],
    [
      'an on-demand index whose table is written',
      throttled(ON_DEMAND, 'IndexWriteKeyRangeThroughputExceeded'),
      'ThrottlingException',
      /one or more global secondary indexes.*scaling your index/,
    ],
    [
      'an on-demand index that is read',
      throttled(ON_DEMAND, 'IndexReadKeyRangeThroughputExceeded'),
      'ThrottlingException',
      /current capacity of your table or index/,
    ],
    [
      'the account',
      throttled(ON_DEMAND, 'TableWriteAccountLimitExceeded', 'TableWriteKeyRangeThroughputExceeded'),
      'RequestLimitExceeded',
      /throughput limit for your account/,
    ],
  ])('by %s has the service’s name and text, and all reasons', (_name, refusal, name, text) => {
    const { reasons } = refusal
    const error = throttlingError(refusal)
    expect(error.message).toMatch(text)
    expect(throttlingText(refusal)).toBe(error.message)
    expect(error.name).toBe(name)
    // One of the three spells the member without a capital.
    const member =
      name === 'ThrottlingException' ? { throttlingReasons: reasons } : { ThrottlingReasons: reasons }
    expect(error.members).toEqual(member)
  })
})
