import { TokenBucket } from '../partition/token-bucket.js'

/**
 * How fast and how many changes of tables may be asked for. Documented, unless something else is said:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
export interface ControlPlaneLimits {
  /** Requests a second that change tables, all kinds together. */
  readonly changingRequestsPerSecond: number
  /** Requests a second that describe and list tables, all kinds together. */
  readonly describingRequestsPerSecond: number
  /** Requests a second of each operation of Contributor Insights. */
  readonly insightsRequestsPerSecond: number
  /** Requests for the account's limits in a minute. */
  readonly describeLimitsPerMinute: number
  /** Tables of a region that may be created, changed or deleted at the same time; and when one is made with indexes. */
  readonly changesAtOnce: number
  readonly changesAtOnceWithIndexes: number
}

/** For tests, which make tables faster than anybody should. */
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

/** A request about tables that came too soon after others. */
export class ControlPlaneThrottled extends Error {
  override readonly name = 'ControlPlaneThrottled'

  constructor() {
    super('Rate exceeded')
  }
}

/** Lets requests about tables through as fast as the limits say. Data requests are none of its business. */
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
    // Requests are whole, so a part of a token lets nobody through.
    if (bucket.available(now) < 1) throw new ControlPlaneThrottled()
    bucket.take(1)
  }

  /** Operations without a limit have no bucket. */
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
