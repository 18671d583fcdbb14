import { invalidOption, refuseUnknown, requireInteger } from '../options/check.js'
import { type Duration, parseDuration } from '../options/duration.js'
import { MAX_SHARDS, requireDrainRate } from '../options/shard-limits.js'
import { fixedViews } from '../protocol/index.js'
import type { CountsOpening, OpenKeyCounts } from './key-counts.js'
import { openKeyScaling } from './key-scaling.js'
import { proportional, type ScalingPolicy } from './policy.js'
import type { ScalingOptions } from './scaling-options.js'

const KNOWN_OPTIONS = [
  'initial',
  'max',
  'cooldown',
  'jitter',
  'policy',
  'quiet',
  'drainUnitsPerSecond',
  'partitionUnitsPerSecond',
]

/** A number of shards that people choose. */
export interface FixedShards {
  readonly kind: 'fixed'
  /** Whether it may answer another number tomorrow. */
  readonly changes: boolean
  count(): number
  /**
   * The value brings what it takes, so that an application with fixed counts does not carry the shard map.
   * @internal
   */
  readonly open: OpenKeyCounts
}

/** A number of shards that each logical key finds for itself. */
export interface DynamicShards extends ScalingOptions {
  readonly kind: 'dynamic'
  /** @internal */
  readonly open: OpenKeyCounts
}

export interface DynamicShardsOptions {
  /** Shards of a key that is seen for the first time. Default 1. */
  readonly initial?: number
  /** No key gets more; a query asks every shard of its key. Default 200. */
  readonly max?: number
  /** Time after a change of a key's count before its next one. Default `'60s'`. */
  readonly cooldown?: Duration
  /** Bounds of the random wait before a change, so that a fleet does not write all at once. Default `['1s', '10s']`. */
  readonly jitter?: readonly [from: Duration, to: Duration]
  /** How many shards a throttled key should have. Default `proportional()`. */
  readonly policy?: ScalingPolicy
  /**
   * A key that has used less than an eighth of its shards' limit for so long loses half of them, down to `initial`; a
   * tenth of that time at a time, the fleet looks whether it is still quiet. `false`: a count never falls by itself. The
   * same in every process: one with `false` does not tell the others either that it uses a key. Default `'1h'`.
   */
  readonly quiet?: Duration | false
  /**
   * Capacity units a second that moving items in the background may use, for each key whose count changes: 10 to
   * 10,000. Default 100, a tenth of what one partition writes.
   */
  readonly drainUnitsPerSecond?: number
  /** Write units a second that one partition takes. Default 1,000, as DynamoDB's do; other engines have other limits. */
  readonly partitionUnitsPerSecond?: number
}

const MIN_QUIET_MILLISECONDS = 60_000

/**
 * Every logical key of the table has the same number of shards.
 *
 * A function is asked at every request, so the number can change without a deploy. It may grow at any time. Before it
 * shrinks, what is in the shards above must be moved: queries no longer ask them.
 *
 * @param count 1 to 1,000, or a function that returns it
 * @throws IsothermError `options.invalid`, at once or when the function returns something else
 * @example fixedShards(10)
 * @example fixedShards(() => config.shardCount)
 */
export function fixedShards(count: number | (() => number)): FixedShards {
  const option = 'fixedShards(count)'
  const changes = typeof count === 'function'
  const counted = changes ? () => requireInteger(option, count(), 1, MAX_SHARDS) : () => count
  if (!changes) requireInteger(option, count, 1, MAX_SHARDS)
  return Object.freeze({
    kind: 'fixed',
    changes,
    count: counted,
    open: () => ({ views: fixedViews(counted), throttled: () => {}, byHand: () => undefined }),
  })
}

/**
 * Every logical key of the table starts with `initial` shards and gets more when that key is throttled by its partition.
 * The counts are kept in the shard map (see `ensureShardMap`).
 *
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example dynamicShards({ initial: 1, max: 200, cooldown: '60s', jitter: ['1s', '10s'], policy: proportional() })
 */
export function dynamicShards(options: DynamicShardsOptions = {}): DynamicShards {
  refuseUnknown('dynamicShards', options, KNOWN_OPTIONS)
  const max = requireInteger('dynamicShards.max', options.max ?? 200, 1, MAX_SHARDS)
  const policy = options.policy ?? proportional()
  if (typeof policy !== 'function') {
    throw invalidOption(
      'dynamicShards.policy',
      policy,
      'proportional(), doubling(), incrementBy(n) or a function',
    )
  }
  return Object.freeze({
    kind: 'dynamic',
    initial: requireInteger('dynamicShards.initial', options.initial ?? 1, 1, max),
    max,
    cooldownMilliseconds: parseDuration('dynamicShards.cooldown', options.cooldown ?? '60s'),
    jitterMilliseconds: parseJitter(options.jitter ?? ['1s', '10s']),
    policy,
    quietMilliseconds: parseQuiet(options.quiet ?? '1h'),
    drainUnitsPerSecond: requireDrainRate(
      'dynamicShards.drainUnitsPerSecond',
      options.drainUnitsPerSecond ?? 100,
    ),
    partitionUnitsPerSecond: requireInteger(
      'dynamicShards.partitionUnitsPerSecond',
      options.partitionUnitsPerSecond ?? 1_000,
      1,
      1_000_000,
    ),
    // By what it is a member of, which may be a copy with something else in it.
    open(this: DynamicShards, opening: CountsOpening) {
      return openKeyScaling(opening, this)
    },
  })
}

function parseQuiet(quiet: unknown): number | undefined {
  if (quiet === false) return undefined
  const milliseconds = parseDuration('dynamicShards.quiet', quiet)
  if (milliseconds >= MIN_QUIET_MILLISECONDS) return milliseconds
  throw invalidOption(
    'dynamicShards.quiet',
    quiet,
    "a duration from '1m' up, or false: a count that falls sooner would go up and down with the traffic",
  )
}

function parseJitter(jitter: unknown): readonly [number, number] {
  const option = 'dynamicShards.jitter'
  if (!Array.isArray(jitter) || jitter.length !== 2) {
    throw invalidOption(option, jitter, "two durations, the shorter first, such as ['1s', '10s']")
  }
  const from = parseDuration(`${option}[0]`, jitter[0])
  const to = parseDuration(`${option}[1]`, jitter[1])
  if (from > to)
    throw invalidOption(option, jitter, "two durations, the shorter first, such as ['1s', '10s']")
  return [from, to]
}
