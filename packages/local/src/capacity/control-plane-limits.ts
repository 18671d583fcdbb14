import { TokenBucket } from '../partition/token-bucket.js'

/**
 * Limits on the rate and number of table changes. Documented, except where noted:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
export interface ControlPlaneLimits {
  /** Requests per second that change tables, all operations together. */
  readonly changingRequestsPerSecond: number
  /** Requests per second that describe and list tables, all operations together. */
  readonly describingRequestsPerSecond: number
  /** Requests per second of each Contributor Insights operation. */
  readonly insightsRequestsPerSecond: number
  /** Requests for the account's limits per minute. */
  readonly describeLimitsPerMinute: number
  /**
   * Tables of a region that may be created, changed or deleted at the same time. The second limit applies when one of
   * them is created with indexes.
   */
  readonly changesAtOnce: number
  readonly changesAtOnceWithIndexes: number
}

/** For tests, which create tables faster than any user. */
export const NO_CONTROL_PLANE_LIMITS: ControlPlaneLimits = {
  changingRequestsPerSecond: Number.POSITIVE_INFINITY,
  describingRequestsPerSecond: Number.POSITIVE_INFINITY,
  insightsRequestsPerSecond: Number.POSITIVE_INFINITY,
  describeLimitsPerMinute: Number.POSITIVE_INFINITY,
  changesAtOnce: Number.POSITIVE_INFINITY,
  changesAtOnceWithIndexes: Number.POSITIVE_INFINITY,
}

export const REAL_CONTROL_PLANE_LIMITS: ControlPlaneLimits = {
  changingRequestsPerSecond: 2500,
  describingRequestsPerSecond: 2500,
  insightsRequestsPerSecond: 5,
  describeLimitsPerMinute: 1,
  changesAtOnce: 500,
  changesAtOnceWithIndexes: 250,
}

/** A control plane request that exceeds a rate limit. */
export class ControlPlaneThrottled extends Error {
  override readonly name = 'ControlPlaneThrottled'

  constructor() {
    super('Rate exceeded')
  }
}

/** Admits control plane requests up to their rate limits. Data plane requests are not limited here. */
export class ControlPlaneAdmission {
  readonly #buckets = new Map<string, TokenBucket>()

  constructor(limits: ControlPlaneLimits, now: number) {
    const bucketOf = (perSecond: number, seconds: number) => new TokenBucket(perSecond, seconds, now)
    this.#join(CHANGING, limits.changingRequestsPerSecond, bucketOf(limits.changingRequestsPerSecond, 1))
    this.#join(
      DESCRIBING,
      limits.describingRequestsPerSecond,
      bucketOf(limits.describingRequestsPerSecond, 1),
    )
    const { insightsRequestsPerSecond: insights, describeLimitsPerMinute: ofLimits } = limits
    for (const operation of INSIGHTS) this.#join([operation], insights, bucketOf(insights, 1))
    this.#join(['DescribeLimits'], ofLimits, bucketOf(ofLimits / 60, 60))
  }

  /** @throws ControlPlaneThrottled */
  admit(operation: string, now: number): void {
    const bucket = this.#buckets.get(operation)
    if (bucket === undefined) return
    // A request needs a whole token, so a fraction of one admits nothing.
    if (bucket.available(now) < 1) throw new ControlPlaneThrottled()
    bucket.take(1)
  }

  /** An operation without a limit has no bucket. */
  #join(operations: readonly string[], limit: number, bucket: TokenBucket): void {
    if (limit === Number.POSITIVE_INFINITY) return
    for (const operation of operations) this.#buckets.set(operation, bucket)
  }
}

const CHANGING = [
  'CreateTable',
  'UpdateTable',
  'DeleteTable',
  'TagResource',
  'UntagResource',
  'UpdateTimeToLive',
]
const DESCRIBING = ['DescribeTable', 'ListTables', 'ListTagsOfResource', 'DescribeTimeToLive']
const INSIGHTS = ['UpdateContributorInsights', 'DescribeContributorInsights', 'ListContributorInsights']
