import { invalidCombination, missingParameter } from './cloudwatch-error.js'
import { EpochTime } from './epoch-time.js'
import { type CloudwatchContext, metricFinder, readMetricQuery } from './metric-query.js'
import { unitOf } from './metric-unit.js'
import { RequestReader } from './request-reader.js'
import { alignedSpan, checkPeriod, checkPoints, readTimes } from './span.js'
import { byPeriod, STATISTICS, type Statistic, statisticOf } from './statistics.js'

const MAX_POINTS = 1440

/** Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricStatistics.html */
export function getMetricStatistics(input: unknown, context: CloudwatchContext): object {
  const request = new RequestReader(input)
  const query = readMetricQuery(request)
  const period = checkPeriod(request.integer('Period'))
  const { start, end } = readTimes(request)
  const statistics = readStatistics(request)
  const span = alignedSpan(start, end, period, context.now)
  checkPoints(span, MAX_POINTS)
  const unit = unitOf(query.name)
  const asked = request.optionalText('Unit')
  const source = asked === undefined || asked === unit ? metricFinder(context)(query) : undefined
  const points = source === undefined ? [] : byPeriod(source, span, context)
  return {
    Label: query.name,
    Datapoints: points.map((point) => ({
      Timestamp: new EpochTime(point.at),
      ...Object.fromEntries(statistics.map((statistic) => [statistic, statisticOf(point, statistic)])),
      Unit: unit,
    })),
  }
}

/** @throws CloudwatchError */
function readStatistics(request: RequestReader): readonly Statistic[] {
  const names = request.texts('Statistics')
  if (request.list('ExtendedStatistics').length > 0) {
    throw invalidCombination(
      'Percentiles need single samples, which are not kept here; ask for Statistics instead of ExtendedStatistics.',
    )
  }
  if (names.length === 0) throw missingParameter('Statistics')
  return names.map((name, index) => {
    const path = `Statistics.member.${index + 1}`
    return new RequestReader({ [path]: name }).requiredOneOf(path, STATISTICS)
  })
}
