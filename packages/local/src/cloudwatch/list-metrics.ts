import { type MetricSource, MINUTE } from '../metrics/metric-source.js'
import { type CloudwatchContext, NAMESPACE, readDimensions } from './metric-query.js'
import { parseToken, printToken } from './page-token.js'
import { RequestReader } from './request-reader.js'

const HOUR = 60 * MINUTE
/** Metrics that have been silent for longer are not listed. */
const LISTED_MILLISECONDS = 14 * 24 * HOUR
const RECENT_MILLISECONDS = 3 * HOUR
const PAGE = 500

/** Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_ListMetrics.html */
export function listMetrics(input: unknown, context: CloudwatchContext): object {
  const { metrics, region, now } = context
  const request = new RequestReader(input)
  const namespace = request.optionalText('Namespace')
  const name = request.optionalText('MetricName')
  const dimensions = readDimensions(request, (each) => each.optionalText('Value'))
  const isRecent = request.oneOf('RecentlyActive', ['PT3H']) !== undefined
  const [from = 0] = parseToken(request.optionalText('NextToken'))
  const since = now - (isRecent ? RECENT_MILLISECONDS : LISTED_MILLISECONDS)
  const isListed = (source: MetricSource) =>
    (name === undefined || source.id.name === name) &&
    hasDimensions(source, dimensions) &&
    (source.lastAt(now) ?? Number.NEGATIVE_INFINITY) >= since
  const listed =
    namespace === undefined || namespace === NAMESPACE ? metrics.sources(region).filter(isListed) : []
  return {
    Metrics: listed.slice(from, from + PAGE).map(({ id }) => ({
      Namespace: NAMESPACE,
      MetricName: id.name,
      Dimensions: Object.entries(id.dimensions).map(([Name, Value]) => ({ Name, Value })),
    })),
    ...(from + PAGE < listed.length ? { NextToken: printToken(from + PAGE) } : {}),
  }
}

/**
 * Whether a metric has all of the wanted dimensions, with the wanted values where given. It may have more dimensions.
 */
function hasDimensions({ id }: MetricSource, wanted: ReadonlyMap<string, string | undefined>): boolean {
  const own = new Map<string, string>(Object.entries(id.dimensions))
  return [...wanted].every(
    ([name, value]) => own.has(name) && (value === undefined || own.get(name) === value),
  )
}
