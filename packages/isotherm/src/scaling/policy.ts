import { invalidOption, refuseUnknown, requireInteger } from '../options/check.js'

/** The recent traffic of one throttled logical key from all processes, in write units, as far as they reported it. */
export interface ScalingEvidence {
  /** The current shard count. */
  readonly shards: number
  /** Units that the application requested to write. */
  readonly offeredUnits: number
  /** Units that were written, at whichever attempt. */
  readonly acceptedUnits: number
  /** Units of writes whose first attempt was throttled by a hot partition. */
  readonly throttledUnits: number
  /** The time over which the units were counted, in seconds. */
  readonly windowSeconds: number
  /**
   * How many times as much this process offered in the last five seconds as in the five before; 1 if that is not known. Above 1,
   * the key is becoming hotter.
   */
  readonly trend: number
  /**
   * Whether the suffix is calculated. Then a change takes about half a minute, creations cost twice as much until it is nearly
   * complete, and no other change can begin.
   */
  readonly isCalculated: boolean
  /** The write units per second that one partition accepts: the option `partitionUnitsPerSecond`. */
  readonly partitionUnitsPerSecond: number
}

/**
 * Returns how many shards a throttled key should have. The result is rounded up and limited to `max`. A result that is
 * not above the current count leaves the count unchanged.
 *
 * @example
 * const careful: ScalingPolicy = ({ shards, offeredUnits, windowSeconds }) =>
 *   offeredUnits / windowSeconds > 5_000 ? shards * 2 : shards + 1
 */
export type ScalingPolicy = (evidence: ScalingEvidence) => number

/**
 * A shard that carries less than this share of what a partition takes is not the cause of the heat. More shards would only
 * spread the key over other keys' partitions.
 */
const MIN_SHARE_OF_PARTITION = 0.25

/**
 * Callers that wait for each answer offer hardly more than is accepted, although most first attempts are throttled. They would
 * offer more if they were not blocked.
 */
const MOSTLY_THROTTLED = 0.5
const BLOCKED = 1.5

/**
 * How many times as much they may want. A load that does not wait for answers looks the same shortly after its partition is full, so
 * the first step is smaller. If most writes are throttled after that, too, their callers do wait.
 */
const FIRST_RESERVE_OF_BLOCKED = 2
const RESERVE_OF_BLOCKED = 3

/** With this share of accepted writes, retries give the callers nearly what they want, and more shards are less urgent. */
const SATISFIED = 0.95

/** A demand that rises is expected to rise once more by the same factor, within these limits: less is chance, and more a start. */
const MIN_TREND = 1.2
const MAX_TREND = 1.5

/** A calculated key cannot grow again before its change is complete, so the first step has to be large enough. */
const RESERVE_OF_CALCULATED = 1.5

/**
 * Scales in one step to as many shards as the offered rate needs. This is the default policy.
 *
 * The new count is `offered units per second / (partitionUnitsPerSecond x targetUtilization)`. A key that has as many and
 * is still throttled gets from a tenth to half as many more, in proportion to what is throttled, because its shards share
 * partitions, but never so many that a shard would carry less than a quarter of a partition. Callers that wait for each answer
 * offer fewer writes than they would, if most first attempts are throttled. Then the key may get up to three times as many,
 * or twice as many if it has one shard. If the offered rate is rising, the rate that is expected in five seconds counts. A key
 * with a calculated suffix gets half as many more, because its next change has to wait for this one.
 *
 * @param options.targetUtilization the share of a partition's 1,000 write units per second that a shard should use,
 * above 0 and at most 1. The rest is headroom for growth, and for shards that share a partition. Default 0.7.
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example dynamicShards({ policy: proportional({ targetUtilization: 0.5 }) })
 */
export function proportional(options: { readonly targetUtilization?: number } = {}): ScalingPolicy {
  refuseUnknown('proportional', options, ['targetUtilization'])
  const { targetUtilization = 0.7 } = options
  if (!(targetUtilization > 0 && targetUtilization <= 1)) {
    throw invalidOption('proportional.targetUtilization', targetUtilization, 'a number above 0 and at most 1')
  }
  return ({
    shards,
    offeredUnits,
    acceptedUnits,
    throttledUnits,
    windowSeconds,
    trend,
    isCalculated,
    partitionUnitsPerSecond,
  }) => {
    // In units of what one partition takes.
    const demand = offeredUnits / windowSeconds / partitionUnitsPerSecond
    const share = throttledUnits / offeredUnits
    const rising = trend > MIN_TREND ? Math.min(MAX_TREND, trend) : 1
    const reserve = isCalculated ? RESERVE_OF_CALCULATED : 1
    const bySize = (demand * rising * reserve) / targetUtilization
    const isSatisfied = acceptedUnits >= SATISFIED * offeredUnits && bySize <= shards
    const most = Math.floor(demand / MIN_SHARE_OF_PARTITION)
    const isBlocked = rising === 1 && share > MOSTLY_THROTTLED && offeredUnits < BLOCKED * acceptedUnits
    if (isBlocked && !isSatisfied) {
      const byRatio = shards / ((1 - share) * targetUtilization)
      const most = shards === 1 ? FIRST_RESERVE_OF_BLOCKED : RESERVE_OF_BLOCKED
      return Math.max(bySize, Math.min(byRatio, most * bySize))
    }
    const factor = 1 + Math.min(isSatisfied ? 0.25 : 0.5, Math.max(0.1, 5 * share))
    return Math.max(bySize, Math.min(Math.ceil(shards * factor), most))
  }
}

/**
 * Doubles the shard count at each step.
 *
 * @example dynamicShards({ policy: doubling() })
 */
export function doubling(): ScalingPolicy {
  return ({ shards }) => 2 * shards
}

/**
 * Adds a fixed number of shards at each step. `incrementBy(1)` is the policy of AWS's published design.
 *
 * @param step the number of shards to add, 1 to 100
 * @throws IsothermError `options.invalid`
 * @example dynamicShards({ policy: incrementBy(1) })
 */
export function incrementBy(step: number): ScalingPolicy {
  requireInteger('incrementBy(step)', step, 1, 100)
  return ({ shards }) => shards + step
}
