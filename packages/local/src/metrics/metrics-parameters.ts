/** How much is remembered. Whatever the traffic, the memory that figures take is bounded by these. */
export interface MetricsParameters {
  /**
   * How long points are kept, in milliseconds of the engine's clock. CloudWatch keeps those of a minute for 15 days:
   * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_concepts.html#metrics-retention
   */
  readonly retentionMilliseconds: number
  /** Metrics of different dimensions; the one that was silent for longest makes room. About 1 KB each. */
  readonly maxSeries: number
  /** Points of all metrics together; the oldest make room. About 100 bytes each. */
  readonly maxPoints: number
  /** Keys in finished minutes of all Contributor Insights rules together; the oldest make room. About 150 bytes each. */
  readonly maxContributors: number
}

export const DEFAULT_METRICS: MetricsParameters = {
  retentionMilliseconds: 15 * 24 * 3600 * 1000,
  maxSeries: 10_000,
  maxPoints: 250_000,
  maxContributors: 100_000,
}
