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
 * offer more if they were not blocked: perhaps twice as much. If most writes are throttled after that, too, there is another step.
 */
const MOSTLY_THROTTLED = 0.5
const HARDLY_MORE = 1.2
const MORE = 1.5
const RESERVE_OF_BLOCKED = 2

/**
 * With this share of accepted writes, retries give the callers nearly what they want, and more shards are less urgent. More than half as
 * many again as the load needs do not help: then the table is full, not the shards.
 */
const SATISFIED = 0.95
const MOST_OF_SATISFIED = 1.5

/** With this share of throttled first attempts, the shards take nearly all that is offered. */
const RARELY_THROTTLED = 0.1

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
 * partitions. But a shard never carries less than a quarter of a partition, and a key whose writes are nearly all accepted gets at most half
 * as many more than the new count. Callers that wait for each answer offer fewer writes than they would, if most first attempts are
 * throttled. Then the key may get up to twice as many. If the offered rate is rising, the rate that is expected in five seconds
 * counts. A key with a calculated suffix gets half as many more, because its next change has to wait for this one.
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
    const byRatio = shards / ((1 - share) * targetUtilization)
    // Of a key that is rarely throttled the offer is known better from what its shards can take: samples of it are few.
    const byOffer = (demand * rising) / targetUtilization
    const bySize = reserve * (share < RARELY_THROTTLED ? Math.min(byOffer, byRatio) : byOffer)
    const isSatisfied = acceptedUnits >= SATISFIED * offeredUnits && bySize <= shards
    const sensible = Math.floor(demand / MIN_SHARE_OF_PARTITION)
    const most = isSatisfied ? Math.min(sensible, MOST_OF_SATISFIED * bySize) : sensible
    const factor = 1 + Math.min(isSatisfied ? 0.25 : 0.5, Math.max(0.1, 5 * share))
    const byShare = Math.min(Math.ceil(shards * factor), most)
    if (rising > 1 || share <= MOSTLY_THROTTLED || isSatisfied) return Math.max(bySize, byShare)
    // The partition of a throttled key with one shard is full, although processes that write little may not have seen that yet.
    const full = shards === 1 ? windowSeconds * partitionUnitsPerSecond : 0
    const sizeOfFull = shards === 1 ? reserve / targetUtilization : 0
    const wanted =
      wantedByBlocked(offeredUnits / Math.max(full, acceptedUnits)) * Math.max(bySize, sizeOfFull)
    return Math.max(bySize, byShare, Math.min(byRatio, wanted))
  }
}

/** How many times as much callers would offer if they did not wait for answers. 1 if they offer far more than is accepted. */
function wantedByBlocked(offeredPerAccepted: number): number {
  const certainty = (MORE - offeredPerAccepted) / (MORE - HARDLY_MORE)
  return 1 + Math.max(0, Math.min(1, certainty)) * (RESERVE_OF_BLOCKED - 1)
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
