import { RecentlyUsedMap } from '../bounded/recently-used-map.js'
import { keyText, type LogicalKey } from '../keys/key.js'
import { refuseUnknown, requireInteger } from '../options/check.js'
import { GrowthDecision, type GrowthDecisionOptions } from './growth-decision.js'
import type { KeyReadThrottle } from './key-counts.js'
import { KeyFlights } from './key-flights.js'
import type { ScalingPolicy } from './policy.js'
import { Scaler, type ScalerOptions } from './scaler.js'
import type { ScalingOptions } from './scaling-options.js'
import type { HeatReport, KeyHeat } from './sensing/key-heat.js'

/** The maximum number of keys that are added to the shard map at a time. Others wait for their next throttle. */
const MAX_ADDITIONS = 16

/** The keys whose last throttle is remembered. */
const MAX_KEYS = 1_000

/** Growth of shard counts by throttled reads. */
export interface ReadGrowth {
  readonly kind: 'grow-by-reads'
  readonly partitionUnitsPerSecond: number
  /**
   * The value carries its own implementation, so that bundles of applications that do not use it exclude it.
   * @internal
   */
  readonly open: (opening: ReadGrowthOpening) => ReadGrower
}

/** Options of `growByReads`. */
export interface ReadGrowthOptions {
  /**
   * The read units per second that one partition accepts. Default 3,000, as in DynamoDB. Other engines have other
   * limits.
   */
  readonly partitionUnitsPerSecond?: number | undefined
}

interface ReadGrowthOpening extends GrowthDecisionOptions, Omit<ScalerOptions, 'decision'> {
  /** The heat of reads, in read units; `undefined` until this process has read the table. */
  readonly reads: () => KeyHeat | undefined
}

/** Gives keys more shards by their throttled reads. */
interface ReadGrower {
  /** Handles a throttle of a read that is spread over the partitions of more shards. Never throws. */
  throttled(key: LogicalKey, throttle: KeyReadThrottle): void
  /** The traffic of writes and reads together, in the write units that use the same share of a partition. */
  heatWith(writes: Pick<KeyHeat, 'report'>): Pick<KeyHeat, 'report'>
}

/**
 * Lets throttled reads of a key add shards to it, as throttled writes do. The fleet's demand for reads is compared with
 * the read units that one partition accepts.
 *
 * More shards help where each read asks one of them, or where each shard has a part of what a read returns:
 *
 * - with a calculated suffix, reads of single items, in a batch and in a transaction, too;
 * - with either suffix, queries that read at least two units of each shard, 8 KB consistently or 16 KB otherwise, up to
 *   as many shards as leave them so much.
 *
 * They do not help, and are no evidence: small queries, and reads of single items with a random suffix, which ask every
 * shard; queries of indexes; scans. Every shard makes each query of the key dearer by half a read unit at least. For
 * data that hardly changes, a cache is cheaper.
 *
 * A key that is hot by reads and by writes is sized for the sum of both.
 *
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example dynamicShards({ reads: growByReads() })
 */
export function growByReads(options: ReadGrowthOptions = {}): ReadGrowth {
  refuseUnknown('growByReads', options, ['partitionUnitsPerSecond'])
  return Object.freeze({
    kind: 'grow-by-reads',
    partitionUnitsPerSecond: requireInteger(
      'growByReads.partitionUnitsPerSecond',
      options.partitionUnitsPerSecond ?? 3_000,
      1,
      1_000_000,
    ),
    // `this` may be a copy of the object with other values.
    open(this: ReadGrowth, opening: ReadGrowthOpening) {
      const factor = opening.shards.partitionUnitsPerSecond / this.partitionUnitsPerSecond
      return openGrower(opening, factor)
    },
  })
}

/**
 * Reads are counted in the write units that use the same share of a partition. So they use the same totals of the fleet
 * in the shard map, and the same policy.
 */
function openGrower(opening: ReadGrowthOpening, factor: number): ReadGrower {
  const { reads, shardMap } = opening
  const heat = {
    report: (key: LogicalKey) => scaled(reads()?.report(key), factor),
    reset: (key: LogicalKey) => reads()?.reset(key),
    hottestThrottledUnits: () => (reads()?.hottestThrottledUnits() ?? 0) * factor,
  }
  const mostFactors = new RecentlyUsedMap<string, number>(MAX_KEYS)
  const shardsFor = (key: LogicalKey): ScalingOptions => {
    const { shards } = opening
    const mostFactor = mostFactors.peek(keyText(key)) ?? 1
    const policy: ScalingPolicy = (evidence) =>
      Math.min(shards.policy(evidence), Math.ceil(evidence.shards * mostFactor))
    return { ...shards, policy }
  }
  const decision: Pick<GrowthDecision, 'decide'> = {
    decide: (asked) => new GrowthDecision({ ...opening, heat, shards: shardsFor(asked.key) }).decide(asked),
  }
  const scaler = new Scaler({ ...opening, heat, decision })
  const additions = new KeyFlights({ ...opening, max: MAX_ADDITIONS })
  return {
    throttled(key, throttle) {
      const text = keyText(key)
      mostFactors.set(text, throttle.mostFactor)
      if (shardMap.peek(key) !== undefined) {
        scaler.consider(key, { ...throttle, units: throttle.units * factor })
        return
      }
      // A key that was never written has no item in the shard map, to which the totals could be added.
      if (additions.mayBegin(text)) {
        additions.begin(text, async () => {
          await shardMap.ensure(key)
        })
      }
    },
    heatWith: (writes) => ({
      report: (key) => sumOf(writes.report(key), heat.report(key)),
    }),
  }
}

function sumOf(one: HeatReport | undefined, other: HeatReport | undefined): HeatReport | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return { ...one, offeredUnits: one.offeredUnits + other.offeredUnits }
}

function scaled(report: HeatReport | undefined, factor: number): HeatReport | undefined {
  if (report === undefined) return undefined
  const { windowSeconds, trend, ...units } = report
  const changed = Object.entries(units).map(([name, amount]) => [name, amount * factor])
  return { ...(Object.fromEntries(changed) as typeof units), windowSeconds, trend }
}
