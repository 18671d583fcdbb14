import type { Dimensions, MetricSource } from '../metrics/metric-source.js'
import type { Metrics } from '../metrics/metrics.js'
import { invalidValue } from './cloudwatch-error.js'
import type { RequestReader } from './request-reader.js'

/** The one namespace that has metrics here. */
export const NAMESPACE = 'AWS/DynamoDB'

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_Metric.html */
const MAX_DIMENSIONS = 30

/** What an operation of CloudWatch works with. */
export interface CloudwatchContext {
  readonly metrics: Metrics
  readonly region: string
  readonly now: number
}

/** A metric that a request names: nothing else than these dimensions, and all of them. */
export interface MetricQuery {
  readonly namespace: string
  readonly name: string
  readonly dimensions: ReadonlyMap<string, string>
}

/** @throws CloudwatchError */
export function readMetricQuery(request: RequestReader): MetricQuery {
  return {
    namespace: request.text('Namespace'),
    name: request.text('MetricName'),
    dimensions: readDimensions(request, (each) => each.text('Value')),
  }
}

/** @throws CloudwatchError */
export function readDimensions<T>(
  request: RequestReader,
  readValue: (dimension: RequestReader) => T,
): ReadonlyMap<string, T> {
  const given = request.structures('Dimensions')
  if (given.length > MAX_DIMENSIONS) {
    throw invalidValue(`The parameter Dimensions must have at most ${MAX_DIMENSIONS} members.`)
  }
  return new Map(given.map((each) => [each.text('Name'), readValue(each)]))
}

/** The metric that is meant. One without points is nothing, as on the service: it is not known to be zero. */
export function findMetric(context: CloudwatchContext, query: MetricQuery): MetricSource | undefined {
  if (query.namespace !== NAMESPACE) return undefined
  return context.metrics
    .sources(context.region)
    .find(({ id }) => id.name === query.name && isSame(id.dimensions, query.dimensions))
}

function isSame(dimensions: Dimensions, wanted: ReadonlyMap<string, string>): boolean {
  const entries = Object.entries(dimensions)
  return entries.length === wanted.size && entries.every(([name, value]) => wanted.get(name) === value)
}
