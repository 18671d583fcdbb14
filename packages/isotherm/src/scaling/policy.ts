import { invalidOption, refuseUnknown, requireInteger } from '../options/check.js'

/**
 * The recent traffic of one throttled logical key, in write units. It covers this process, or several processes that
 * share their rates through the shard map.
 */
export interface ScalingEvidence {
  /** The current shard count. */
  readonly shards: number
  /** Units that the application requested to write. */
  readonly offeredUnits: number
  /** Units that were written. */
  readonly acceptedUnits: number
  /** Units of writes whose first attempt was throttled by a hot partition. */
  readonly throttledUnits: number
  /**
   * Whether the last change did not help: the key is still throttled, and hardly more of its writes are accepted. This
   * happens when the new shards are on partitions that the old shards already fill. Then the next change skips the
   * cooldown.
   */
  readonly collided: boolean
  /** The length of the window over which the units were counted. */
  readonly windowSeconds: number
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

/** The limit of one step's growth. When almost no writes are accepted, the ratio of the rates is meaningless. */
const MAX_STEP = 8

/** Above this share of throttled writes, the rates understate the demand, because blocked callers offer fewer writes. */
const MOSTLY_THROTTLED = 0.5

/**
 * Scales to the required shard count in one step, in proportion to the offered and accepted rates. This is the default
 * policy.
 *
 * The new count is `shards x offered / accepted / targetUtilization`, and at least one more than before. If the first
 * attempts of most writes were throttled, it is at least twice the old count. If the last change did not help, the
 * count doubles. Every process sees about the same ratio, however small its own share of the traffic is.
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
  return ({ shards, offeredUnits, acceptedUnits, throttledUnits, collided }) => {
    // The accepted rate is the limit of a shared partition, not of the shards, so the ratio is meaningless.
    if (collided) return 2 * shards
    const ratio = acceptedUnits > 0 ? Math.max(1, offeredUnits / acceptedUnits) : MAX_STEP
    const mostlyThrottled = throttledUnits > MOSTLY_THROTTLED * offeredUnits
    const wanted = (shards * Math.min(ratio, MAX_STEP)) / targetUtilization
    return Math.max(wanted, mostlyThrottled ? 2 * shards : shards + 1)
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
