import type { MetricSource } from '../metrics/metric-source.js'
import type { Metrics } from '../metrics/metrics.js'
import { invalidValue } from './cloudwatch-error.js'
import type { RequestReader } from './request-reader.js'

/** The only namespace with metrics. */
export const NAMESPACE = 'AWS/DynamoDB'

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_Metric.html */
const MAX_DIMENSIONS = 30

/** The data that a CloudWatch operation uses. */
export interface CloudwatchContext {
  readonly metrics: Metrics
  readonly region: string
  readonly now: number
}

/** The metric that a request names, with exactly these dimensions. */
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

/**
 * Finds a metric. Returns `undefined` for a metric without points, as on the service, because its value is unknown and
 * not zero.
 */
export type FindMetric = (query: MetricQuery) => MetricSource | undefined

/**
 * Creates a lookup for one request. There may be tens of thousands of metrics, and one request may ask for hundreds.
 */
export function metricFinder({ metrics, region }: CloudwatchContext): FindMetric {
  const sources = new Map<string, MetricSource>()
  for (const source of metrics.sources(region)) {
    const { name, dimensions } = source.id
    sources.set(keyOf(name, Object.entries(dimensions)), source)
  }
  return ({ namespace, name, dimensions }) =>
    namespace === NAMESPACE ? sources.get(keyOf(name, [...dimensions])) : undefined
}

/** Dimensions may be in any order. */
function keyOf(name: string, dimensions: readonly (readonly [name: string, value: string])[]): string {
  return JSON.stringify([name, [...dimensions].sort(([a], [b]) => (a < b ? -1 : 1))])
}
