import { ServiceError } from '../errors/service-error.js'

/** The operations of the other services at this endpoint. */
const STREAMS = new Set(['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'])
const CLOUDWATCH = new Set(['GetInsightRuleReport', 'GetMetricData', 'GetMetricStatistics', 'ListMetrics'])

/**
 * The prefixes of operations in `X-Amz-Target`, and the operations that may follow each. Operations of no other service
 * count as DynamoDB's. The engine decides whether they exist, so only its list has to grow.
 */
const SERVICES: ReadonlyMap<string, (operation: string) => boolean> = new Map([
  ['DynamoDB_20120810', (operation) => !STREAMS.has(operation) && !CLOUDWATCH.has(operation)],
  ['DynamoDBStreams_20120810', (operation) => STREAMS.has(operation)],
  ['GraniteServiceVersion20100801', (operation) => CLOUDWATCH.has(operation)],
])

/** Whether the operation belongs to CloudWatch. */
export function isCloudwatch(operation: string): boolean {
  return CLOUDWATCH.has(operation)
}

/**
 * The operation in a request's target, such as `PutItem` in `DynamoDB_20120810.PutItem`. The engine decides whether the
 * operation exists.
 *
 * @throws ServiceError UnknownOperationException for a target that is missing, malformed, or of a service without it.
 */
export function operationOf(target: string | undefined): string {
  const dot = target?.indexOf('.') ?? -1
  if (target !== undefined && dot > 0) {
    const operation = target.slice(dot + 1)
    if (SERVICES.get(target.slice(0, dot))?.(operation)) return operation
  }
  throw new ServiceError('UnknownOperationException', '')
}
