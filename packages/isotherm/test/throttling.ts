import { Refusal } from './fake-tables.js'

/** The refusal that a hot partition of an on-demand table gives. */
export function hotPartition(): Refusal {
  return throttled('ThrottlingException', ['TableWriteKeyRangeThroughputExceeded'], 'throttlingReasons')
}

/** A refusal by the whole of a provisioned table. */
export function smallTable(): Refusal {
  return throttled('ProvisionedThroughputExceededException', ['TableWriteProvisionedThroughputExceeded'])
}

/** A throttle with these reasons, or none at all. */
export function throttled(type: string, reasons: readonly string[], member = 'ThrottlingReasons'): Refusal {
  const resource = 'arn:aws:dynamodb:us-east-1:123456789012:table/log'
  const listed = reasons.map((reason) => ({ reason, resource }))
  return new Refusal(type, 'Too much.', reasons.length === 0 ? {} : { [member]: listed })
}

/** The same refusal as `hotPartition`, as the SDK throws it. */
export function hotPartitionError(): Error {
  return Object.assign(new Error('Too much.'), {
    name: 'ThrottlingException',
    $metadata: { httpStatusCode: 400 },
    throttlingReasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded' }],
  })
}
