import type { MetricSource } from '../metrics/metric-source.js'
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
export type FindMetric = (query: MetricQuery) => MetricSource | undefined

/** Finds metrics for one request: there may be tens of thousands, and hundreds are asked for at once. */
export function metricFinder({ metrics, region }: CloudwatchContext): FindMetric {
  const sources = new Map<string, MetricSource>()
  for (const source of metrics.sources(region)) {
    const { name, dimensions } = source.id
    sources.set(keyOf(name, Object.entries(dimensions)), source)
  }
  return ({ namespace, name, dimensions }) =>
    namespace === NAMESPACE ? sources.get(keyOf(name, [...dimensions])) : undefined
}

/** Dimensions come in any order. */
function keyOf(name: string, dimensions: readonly (readonly [name: string, value: string])[]): string {
  return JSON.stringify([name, [...dimensions].sort(([a], [b]) => (a < b ? -1 : 1))])
}
