import { invalidOption, refuseUnknown, requireInteger } from '../options/check.js'
import { type Duration, parseDuration } from '../options/duration.js'
import { MAX_SHARDS, requireDrainRate } from '../options/shard-limits.js'
import { fixedCheck, fixedViews } from '../protocol/index.js'
import { parseShrink, type ShrinkRule } from './coming-down/parse-shrink.js'
import type { ReadGrowth } from './grow-by-reads.js'
import type { CountsOpening, OpenKeyCounts } from './key-counts.js'
import { openKeyScaling } from './key-scaling.js'
import { doubling, incrementBy, proportional, type ScalingPolicy } from './policy.js'
import type { ScalingOptions } from './scaling-options.js'

const KNOWN_OPTIONS = [
  'initial',
  'max',
  'cooldown',
  'jitter',
  'policy',
  'quiet',
  'shrink',
  'shrinkUnitsPerDay',
  'drainUnitsPerSecond',
  'partitionUnitsPerSecond',
  'reads',
]

/** A shard count from the configuration, the same for every key. */
export interface FixedShards {
  readonly kind: 'fixed'
  /** Whether the count comes from a function, and so can change. */
  readonly changes: boolean
  /** The present count. */
  count(): number
  /**
   * The value carries its own implementation, so that bundles of applications with fixed counts exclude the shard map.
   * @internal
   */
  readonly open: OpenKeyCounts
}

/** A shard count for each logical key, adapted to the key's traffic. */
export interface DynamicShards extends ScalingOptions {
  readonly kind: 'dynamic'
  /** `undefined` if throttled reads add no shards. */
  readonly reads: ReadGrowth | undefined
  /** @internal */
  readonly open: OpenKeyCounts
}

/** Options of `dynamicShards`. */
export interface DynamicShardsOptions {
  /** The shard count of a new key, 1 to `max`. A count never falls below it automatically. Default 1. */
  readonly initial?: number | undefined
  /**
   * The maximum shard count of a key, 1 to 1,000. A query reads every shard of its key, so higher counts make queries
   * more expensive. Default 200.
   */
  readonly max?: number | undefined
  /**
   * The minimum time between two changes of a key's count. Without it, a key that is still throttled after a growth can grow
   * again after about eight seconds: six until every process uses the new count, and one or two for the next measurement.
   * Default `'0s'`.
   */
  readonly cooldown?: Duration | undefined
  /**
   * The bounds of the random time for which a process measures the heat of the whole fleet before it changes a count, the
   * shorter first. Default `['1s', '1500ms']`.
   */
  readonly jitter?: readonly [from: Duration, to: Duration] | undefined
  /**
   * Decides how many shards a throttled key should have: `proportional()`, `doubling()`, `incrementBy(n)`, or your own
   * function. Default `proportional()`.
   */
  readonly policy?: ScalingPolicy | undefined
  /**
   * How long a key must be quiet before it may lose three quarters of its shards, at least `'1m'`. A key is quiet while it
   * uses less than an eighth of its shards' write limit. Its count never falls below `initial`. The processes check for
   * traffic about ten times in this period.
   *
   * With `false`, a count never falls automatically. Use the same value in every process: a process with `false` does
   * not report its traffic, so others may consider a busy key quiet. Default `'1h'`.
   */
  readonly quiet?: Duration | false | undefined
  /**
   * Whether a quiet key loses shards only if that pays, or always. It pays when the reads that the shards have cost since
   * the key became quiet cost as much as moving the items; a write unit counts as five read units. If it does not pay, an
   * event `shrink-declined` states both. Use the same value in every process. Default `'when-it-pays'`.
   */
  readonly shrink?: ShrinkRule | undefined
  /**
   * The write units a day that this process may spend to move items of quiet keys of this table, from 0 up. It applies to
   * `shrink: 'when-it-pays'`. Default 10,000,000.
   */
  readonly shrinkUnitsPerDay?: number | undefined
  /**
   * The capacity units per second that moving items in the background may use, for each key whose count changes: 10 to
   * 10,000. By default the rate follows the capacity that the partitions have to spare: it begins with 100, grows up to
   * 2,000 while nothing is throttled, and halves when a move is throttled.
   */
  readonly drainUnitsPerSecond?: number | undefined
  /**
   * The write units per second that one partition accepts. Default 1,000, as in DynamoDB. Other engines have other
   * limits.
   */
  readonly partitionUnitsPerSecond?: number | undefined
  /** `growByReads()` lets throttled reads add shards, too, where more shards help reads. By default only writes do. */
  readonly reads?: ReadGrowth | undefined
}

const MIN_QUIET_MILLISECONDS = 60_000

/**
 * Gives every logical key of the table the same number of shards.
 *
 * A function is called for every request, so the number can change without a deployment. With a random suffix it can grow at any
 * time. Before it shrinks, move the items out of the shards above the new count, because queries no longer read those shards. With a
 * calculated suffix it must not change, because items would no longer be where they are looked for.
 *
 * @param count 1 to 1,000, or a function that returns such a number
 * @throws IsothermError `options.invalid`, immediately for an invalid number, or from a request when the function
 * returns one
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
    open: ({ table, hasCard }: CountsOpening) => ({
      views: fixedViews(
        counted,
        hasCard && table.placementKind !== 'bare' && table.options.checkItems
          ? fixedCheck(table, counted, changes)
          : undefined,
      ),
      throttled: () => {},
      byHand: () => undefined,
    }),
  })
}

const POLICIES = 'proportional(), doubling(), incrementBy(n) or a function'

/**
 * Gives every logical key of the table its own shard count. A key starts with `initial` shards, and gets more when its
 * partition throttles it.
 *
 * The counts are stored in the shard map (see `ensureShardMap`).
 *
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example dynamicShards({ initial: 1, max: 200, policy: proportional() })
 */
export function dynamicShards(options: DynamicShardsOptions = {}): DynamicShards {
  refuseUnknown('dynamicShards', options, KNOWN_OPTIONS)
  const max = requireInteger('dynamicShards.max', options.max ?? 200, 1, MAX_SHARDS)
  const policy = options.policy ?? proportional()
  const isUncalled = ([proportional, doubling, incrementBy] as unknown[]).includes(policy)
  if (typeof policy !== 'function' || isUncalled) {
    const example = isUncalled ? `called, as in { policy: ${policy.name}() }` : POLICIES
    throw invalidOption('dynamicShards.policy', policy, example)
  }
  return Object.freeze({
    kind: 'dynamic',
    initial: requireInteger('dynamicShards.initial', options.initial ?? 1, 1, max),
    max,
    cooldownMilliseconds: parseDuration('dynamicShards.cooldown', options.cooldown ?? '0s'),
    jitterMilliseconds: parseJitter(options.jitter ?? ['1s', '1500ms']),
    policy,
    quietMilliseconds: parseQuiet(options.quiet ?? '1h'),
    ...parseShrink(options.shrink, options.shrinkUnitsPerDay),
    drainUnitsPerSecond: requireDrainRate('dynamicShards.drainUnitsPerSecond', options.drainUnitsPerSecond),
    partitionUnitsPerSecond: requireInteger(
      'dynamicShards.partitionUnitsPerSecond',
      options.partitionUnitsPerSecond ?? 1_000,
      1,
      1_000_000,
    ),
    reads: parseReads(options.reads),
    // `this` may be a copy of the object with other values.
    open(this: DynamicShards, opening: CountsOpening) {
      return openKeyScaling(opening, this)
    },
  })
}

function parseReads(reads: ReadGrowth | undefined): ReadGrowth | undefined {
  if (reads === undefined || Object(reads).kind === 'grow-by-reads') return reads
  throw invalidOption('dynamicShards.reads', reads, 'growByReads()')
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
  const rule = "two durations, the shorter first, such as ['1s', '3s']"
  if (!Array.isArray(jitter) || jitter.length !== 2) throw invalidOption(option, jitter, rule)
  const from = parseDuration(`${option}[0]`, jitter[0])
  const to = parseDuration(`${option}[1]`, jitter[1])
  if (from > to) throw invalidOption(option, jitter, rule)
  return [from, to]
}
