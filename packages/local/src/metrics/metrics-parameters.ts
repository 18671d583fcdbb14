/** Limits of recorded metrics. They bound the memory for any traffic. */
export interface MetricsParameters {
  /**
   * How long points are stored, in milliseconds of the engine's clock. CloudWatch keeps points of one minute for 15
   * days: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_concepts.html#metrics-retention
   */
  readonly retentionMilliseconds: number
  /**
   * The maximum number of metrics with different dimensions. The one that was silent longest is dropped first. About 1
   * KB each.
   */
  readonly maxSeries: number
  /** The maximum number of points of all metrics together. The oldest are dropped first. About 100 bytes each. */
  readonly maxPoints: number
  /**
   * The maximum number of keys in completed minutes of all Contributor Insights rules together. The oldest are dropped
   * first. About 150 bytes each.
   */
  readonly maxContributors: number
}

export const DEFAULT_METRICS: MetricsParameters = {
  retentionMilliseconds: 15 * 24 * 3600 * 1000,
  maxSeries: 10_000,
  maxPoints: 250_000,
  maxContributors: 100_000,
}
