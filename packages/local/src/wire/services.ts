import { ServiceError } from '../errors/service-error.js'

/** The operations of the services besides DynamoDB that answer at this endpoint. */
const STREAMS = new Set(['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'])
const CLOUDWATCH = new Set(['GetInsightRuleReport', 'GetMetricData', 'GetMetricStatistics', 'ListMetrics'])

/**
 * What stands before the operation in `X-Amz-Target`, and which operations may follow. What belongs to nobody else is
 * taken for DynamoDB's: whether it is there is the engine's to say, whose list is the only one that has to grow.
 */
const SERVICES: ReadonlyMap<string, (operation: string) => boolean> = new Map([
  ['DynamoDB_20120810', (operation) => !STREAMS.has(operation) && !CLOUDWATCH.has(operation)],
  ['DynamoDBStreams_20120810', (operation) => STREAMS.has(operation)],
  ['GraniteServiceVersion20100801', (operation) => CLOUDWATCH.has(operation)],
])

/** Whether it is an operation of CloudWatch's. */
export function isCloudwatch(operation: string): boolean {
  return CLOUDWATCH.has(operation)
}

/**
 * The operation that a request's target names, such as `PutItem` of `DynamoDB_20120810.PutItem`. Whether the engine can
 * do it is the engine's to say.
 *
 * @throws ServiceError UnknownOperationException for a target that is absent, malformed, or of a service without it.
 */
export function operationOf(target: string | undefined): string {
  const dot = target?.indexOf('.') ?? -1
  if (target !== undefined && dot > 0) {
    const operation = target.slice(dot + 1)
    if (SERVICES.get(target.slice(0, dot))?.(operation)) return operation
  }
  throw new ServiceError('UnknownOperationException', '')
}
