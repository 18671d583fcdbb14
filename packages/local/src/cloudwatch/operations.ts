import type { Awaitable } from '../storage/storage.js'
import { getInsightRuleReport } from './get-insight-rule-report.js'
import { getMetricData } from './get-metric-data.js'
import { getMetricStatistics } from './get-metric-statistics.js'
import { listMetrics } from './list-metrics.js'
import type { CloudwatchContext } from './metric-query.js'

/** The supported operations of CloudWatch, by API name. None of them changes data. */
export const CLOUDWATCH_OPERATIONS: ReadonlyMap<
  string,
  (input: unknown, context: CloudwatchContext) => Awaitable<object>
> = new Map(
  Object.entries({
    GetInsightRuleReport: getInsightRuleReport,
    GetMetricData: getMetricData,
    GetMetricStatistics: getMetricStatistics,
    ListMetrics: listMetrics,
  }),
)
