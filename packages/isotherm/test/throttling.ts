import { Refusal } from './fake-tables.js'

/** The error of a write that a hot partition of an on-demand table throttles. */
export function hotPartition(): Refusal {
  return throttled('ThrottlingException', ['TableWriteKeyRangeThroughputExceeded'], 'throttlingReasons')
}

/** The error of a write that a provisioned table throttles as a whole. */
export function smallTable(): Refusal {
  return throttled('ProvisionedThroughputExceededException', ['TableWriteProvisionedThroughputExceeded'])
}

/** A throttling error with the given reasons, which may be none. */
export function throttled(type: string, reasons: readonly string[], member = 'ThrottlingReasons'): Refusal {
  const resource = 'arn:aws:dynamodb:us-east-1:123456789012:table/log'
  const listed = reasons.map((reason) => ({ reason, resource }))
  return new Refusal(type, 'Too much.', reasons.length === 0 ? {} : { [member]: listed })
}

/** The same error as `hotPartition`, in the form that the SDK throws. */
export function hotPartitionError(): Error {
  return Object.assign(new Error('Too much.'), {
    name: 'ThrottlingException',
    $metadata: { httpStatusCode: 400 },
    throttlingReasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded' }],
  })
}
