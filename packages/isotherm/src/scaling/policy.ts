import { invalidOption, refuseUnknown, requireInteger } from '../options/check.js'

/** What was seen of one logical key, by one process or by several that told each other, in write units, over the last seconds. */
export interface ScalingEvidence {
  /** The count now in effect. */
  readonly shards: number
  /** Units that the application asked to write. */
  readonly offeredUnits: number
  /** Units that were written. */
  readonly acceptedUnits: number
  /** Units of writes that a hot partition refused at their first attempt. */
  readonly throttledUnits: number
  /**
   * The last change did not help: the key is throttled still, and accepted hardly more than before. So it is when the
   * new shards are on partitions that the old ones have filled; then another step is made without waiting for the cooldown.
   */
  readonly collided: boolean
  /** Length of the time that the units were counted in. */
  readonly windowSeconds: number
}

/**
 * How many shards a throttled key should have. The result is rounded up and kept between the present count and `max`.
 *
 * @example
 * const careful: ScalingPolicy = ({ shards, offeredUnits, windowSeconds }) =>
 *   offeredUnits / windowSeconds > 5_000 ? shards * 2 : shards + 1
 */
export type ScalingPolicy = (evidence: ScalingEvidence) => number

/** One step grows at most so much: what is not accepted at all says nothing about how much is offered. */
const MAX_STEP = 8

/** Above this share of refused writes the rates understate the demand: callers that wait for an answer offer less. */
const MOSTLY_THROTTLED = 0.5

/**
 * From the offered and the accepted rate to the count that would carry the offer, in one step:
 * `shards x offered / accepted / targetUtilization`, at least one more, and at least twice as many where most writes
 * were refused at first, or where the last change did not help. Every process of a fleet sees about the same ratio, whatever its own share of the traffic.
 *
 * @param options.targetUtilization the share of a partition's 1,000 write units that a shard should use: above 0, at most
 * 1. The rest is room for shards that meet on one partition, and for growth. Default 0.7.
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example dynamicShards({ policy: proportional({ targetUtilization: 0.5 }) })
 */
export function proportional(options: { readonly targetUtilization?: number } = {}): ScalingPolicy {
  refuseUnknown('proportional', options, ['targetUtilization'])
  const { targetUtilization = 0.7 } = options
  if (!(targetUtilization > 0 && targetUtilization <= 1)) {
    throw invalidOption('proportional.targetUtilization', targetUtilization, 'a number above 0 and at most 1')
  }
  return ({ shards, offeredUnits, acceptedUnits, throttledUnits, collided }) => {
    // What was accepted is what a partition takes, not what the shards would: there is no ratio to go by.
    if (collided) return 2 * shards
    const ratio = acceptedUnits > 0 ? Math.max(1, offeredUnits / acceptedUnits) : MAX_STEP
    const mostlyThrottled = throttledUnits > MOSTLY_THROTTLED * offeredUnits
    const wanted = (shards * Math.min(ratio, MAX_STEP)) / targetUtilization
    return Math.max(wanted, mostlyThrottled ? 2 * shards : shards + 1)
  }
}

/**
 * Twice as many at each step.
 * @example dynamicShards({ policy: doubling() })
 */
export function doubling(): ScalingPolicy {
  return ({ shards }) => 2 * shards
}

/**
 * So many more at each step. `incrementBy(1)` is the policy of AWS's published design.
 * @throws IsothermError `options.invalid`
 * @example dynamicShards({ policy: incrementBy(1) })
 */
export function incrementBy(step: number): ScalingPolicy {
  requireInteger('incrementBy(step)', step, 1, 100)
  return ({ shards }) => shards + step
}
