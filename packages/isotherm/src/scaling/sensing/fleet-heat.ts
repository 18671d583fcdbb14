import type { Growth, HeatTotals } from '../../protocol/index.js'

/** The heat of a key in the whole fleet, measured over a time, in write units. */
export interface FleetHeat {
  readonly seconds: number
  readonly offeredUnits: number
  readonly acceptedUnits: number
  /** Units of writes whose first attempt was throttled. */
  readonly throttledUnits: number
  readonly samples: number
  /** The class of items with the most throttled units, and its share of them. */
  readonly hottest: { readonly hash: number; readonly share: number }
}

/** Fewer samples are too rough an estimate: with so many, the rate is known within about a third. */
export const MIN_SAMPLES = 12

/** Below this share of throttled writes, retries are enough. */
const MIN_THROTTLED_SHARE = 0.01

/** With this share of its throttled units in one class of items, a key has one hot item. */
const HOT_ITEM_SHARE = 0.8

/** A growth helped if it brought at least this share of what it could bring. */
const MIN_GAIN_SHARE = 0.4

/** It also helped if at most this share is still throttled. */
const MAX_CALM_SHARE = 0.75

/** A smaller expected gain cannot be distinguished from noise. */
const MIN_EXPECTED_GAIN = 0.1

/**
 * The heat between two reads of the totals, `seconds` apart.
 *
 * A sample carries what its process was offered since its last throttle. If a load has just risen, that is the traffic of a long, calm
 * time, and says nothing of these seconds. But all of them together cannot have accepted more than their shards take.
 *
 * @param mostAcceptedPerSecond what the partitions of the key's shards accept
 */
export function heatBetween(
  before: HeatTotals,
  after: HeatTotals,
  seconds: number,
  mostAcceptedPerSecond: number,
): FleetHeat {
  const byItem = after.throttledUnits.map((units, hash) => units - (before.throttledUnits[hash] ?? 0))
  const throttledUnits = byItem.reduce((sum, units) => sum + units, 0)
  const most = Math.max(...byItem)
  const mostOffered = throttledUnits + mostAcceptedPerSecond * seconds
  const offeredUnits = Math.min(
    mostOffered,
    Math.max(throttledUnits, after.offeredUnits - before.offeredUnits),
  )
  return {
    seconds,
    offeredUnits,
    acceptedUnits: Math.min(offeredUnits, after.acceptedUnits - before.acceptedUnits),
    throttledUnits,
    samples: after.samples - before.samples,
    hottest: { hash: byItem.indexOf(most), share: most / throttledUnits },
  }
}

/** Whether enough is throttled to justify more shards. */
export function isThrottled({ offeredUnits, throttledUnits }: FleetHeat): boolean {
  return throttledUnits >= MIN_THROTTLED_SHARE * offeredUnits
}

/** Whether nearly all throttled writes are of one item, which more shards do not help: an item is in one shard. */
export function isOfOneItem({ hottest, samples }: FleetHeat): boolean {
  return samples >= MIN_SAMPLES && hottest.share >= HOT_ITEM_SHARE
}

/**
 * How many growths, with the last one, have not helped since one that brought more accepted writes. Where nearly everything is
 * accepted already, throttles come and go by chance: fewer of them excuse a growth, but do not prove that it helped.
 */
export function growthsInVain(growth: Growth | undefined, shards: number, heat: FleetHeat): number {
  if (growth === undefined || growth.to !== shards) return 0
  const { from, to, acceptedPerSecond: before, throttledPerSecond, inVain } = growth
  const [offered, accepted] = [heat.offeredUnits / heat.seconds, heat.acceptedUnits / heat.seconds]
  const expectedGain = Math.min(offered, (before * to) / from) - before
  const canGain = expectedGain >= MIN_EXPECTED_GAIN * offered
  // Processes that have only just been throttled know little of what is accepted, and then little is expected.
  const gain = Math.max(MIN_GAIN_SHARE * expectedGain, MIN_EXPECTED_GAIN * offered)
  const hasGained = accepted >= before + gain
  const hasCalmed = heat.throttledUnits / heat.seconds <= MAX_CALM_SHARE * throttledPerSecond
  if (hasCalmed) return canGain ? 0 : inVain
  return hasGained ? 0 : inVain + 1
}
