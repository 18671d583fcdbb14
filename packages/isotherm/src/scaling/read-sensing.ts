import type { Clock } from '@isotherm/runtime'
import type { Emit, ThrottleScope } from '../events/event.js'
import { type LogicalKey, plainKey } from '../keys/key.js'
import { scopeOf } from '../sdk/throttle.js'
import type { TableThrottleHandler } from './capacity-raise.js'
import type { KeyReadThrottle, KeyThrottle } from './key-counts.js'
import type { ReadHeat, Spread } from './read-heat.js'
import { KeyHeat } from './sensing/key-heat.js'
import type { ThrottleSensor } from './sensing/throttle-sensor.js'

/** The share of the newest answer in the mean units of a read of one shard. */
const MEAN_WEIGHT = 1 / 16

/** The smallest read of one shard: an eventually consistent one of at most 4 KB. */
const MIN_READ_UNITS = 0.5

export interface ReadSensingOptions {
  readonly table: string
  readonly clock: Clock
  readonly emit: Emit
  readonly sensor: ThrottleSensor
  /** Handles reads that were throttled by the table as a whole. */
  readonly tableThrottles: TableThrottleHandler
  /** Handles a throttle of a read that more shards would spread. Never throws. */
  readonly onSpreadThrottled: (key: LogicalKey, throttle: KeyReadThrottle) => void
}

/** Reads of the smallest unit do not get smaller with more shards. */
const MIN_SPREAD_UNITS = 4 * MIN_READ_UNITS

/** Observes the reads of one table: their heat by key, and their throttles. */
export interface ReadSensing extends ReadHeat {
  /** The heat of the table's keys in read units; `undefined` until this process has read the table. */
  readonly heat: KeyHeat | undefined
}

export function openReadSensing({
  table,
  clock,
  emit,
  sensor,
  tableThrottles,
  onSpreadThrottled,
}: ReadSensingOptions): ReadSensing {
  let heat: KeyHeat | undefined
  let meanUnits = MIN_READ_UNITS
  let queryUnits = MIN_READ_UNITS
  // Only the answer says how much a read consumes, so a throttled one is assumed to be like those before it.
  const estimate = (shards: number, spread: Spread | undefined) =>
    shards * (spread?.by === 'query' ? queryUnits : meanUnits)
  const scopeIn = (reasons: readonly string[], index: string | undefined) =>
    // The table's capacity says nothing of an index.
    index === undefined ? sensor.scope(reasons) : (scopeOf(reasons) ?? 'index')
  const handled = (scope: ThrottleScope, reasons: readonly string[]): ThrottleScope => {
    if (scope === 'table') tableThrottles.throttled(reasons, 'read')
    return scope
  }
  return {
    get heat() {
      return heat
    },
    answered(key, units, { wasThrottled, shards, spread }) {
      heat ??= new KeyHeat(clock)
      // The throttle has offered it already.
      if (!wasThrottled) heat.offered(key, units)
      heat.accepted(key, units)
      meanUnits += (units / shards - meanUnits) * MEAN_WEIGHT
      if (spread?.by === 'query') queryUnits += (units / shards - queryUnits) * MEAN_WEIGHT
    },
    async throttled({ key, shard, shards, attempt, reasons, index, spread }) {
      const units = estimate(shards, spread)
      const isCounted = attempt === 1 && index === undefined
      if (isCounted) {
        heat ??= new KeyHeat(clock)
        heat.offered(key, units)
      }
      const scope = await scopeIn(reasons, index)
      emit({
        type: 'throttled',
        table,
        logicalKey: plainKey(key),
        shard,
        attempt,
        scope,
        reasons,
        access: 'read',
        ...(index === undefined ? {} : { index }),
        at: clock.now(),
      })
      // Each read counts once, as each write does.
      if (isCounted && isOfPartition(scope)) heat?.throttled(key, units)
      const mostFactor = mostFactorOf(spread, queryUnits)
      if (index === undefined && isOfPartition(scope) && mostFactor > 1) {
        const item = spread?.by === 'item' ? spread.item : undefined
        onSpreadThrottled(key, { scope, units, attempt, item, mostFactor })
      }
      return handled(scope, reasons)
    },
    async scanThrottled({ attempt, reasons, index }) {
      const scope = await scopeIn(reasons, index)
      emit({
        type: 'scan-throttled',
        table,
        attempt,
        scope,
        reasons,
        ...(index === undefined ? {} : { index }),
        at: clock.now(),
      })
      return handled(scope, reasons)
    },
  }
}

function isOfPartition(scope: ThrottleScope): scope is KeyThrottle['scope'] {
  return scope === 'partition' || scope === 'unknown'
}

/**
 * Up to how many times as many shards help the read: a query reads at least the smallest unit of each.
 *
 * @param queryUnits the mean units that a query of the table reads of one shard
 */
function mostFactorOf(spread: Spread | undefined, queryUnits: number): number {
  if (spread === undefined) return 1
  return spread.by === 'item' ? Number.POSITIVE_INFINITY : queryUnits / MIN_SPREAD_UNITS
}
