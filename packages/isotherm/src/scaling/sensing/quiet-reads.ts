import type { Random } from '@isotherm/runtime'
import {
  countChangedAt,
  FLEET_ATTRIBUTES,
  type FleetUpdate,
  type QuietReads,
  type ShardState,
} from '../../protocol/index.js'

/**
 * The read units of one report. Its write costs as much as five read units, so reporting adds half a percent to the cost of
 * the reads.
 */
const REPORT_UNITS = 1_000

/** A fleet reports about once in this time, however much it reads. */
const REPORT_SECONDS = 2

/** With fewer reports, the sum is chance. So few read units are not worth a decision either. */
const MIN_REPORTS = 4

/** Returns the reads since the key became quiet. A key that was busy, or whose count has changed since, starts again. */
export function quietReadsOf(state: ShardState): QuietReads | undefined {
  const reads = state.fleet?.quietReads
  if (reads === undefined) return undefined
  return reads.since >= Math.max(countChangedAt(state), state.fleet?.lastBusy ?? 0) ? reads : undefined
}

/** Whether the key was read enough for a decision, and twice as much as at the last one. */
export function isDueForDecision({ units, weighed }: QuietReads): boolean {
  return units >= Math.max(MIN_REPORTS * REPORT_UNITS, 2 * weighed)
}

/** A sum that began later than this has no rate yet. It may also have begun by a clock that is ahead. */
const MIN_SECONDS = 60

/** Read units a second. */
export function readRateOf({ units, since }: QuietReads, epochSeconds: number): number {
  return units / Math.max(MIN_SECONDS, epochSeconds - since)
}

/**
 * Returns the report of some read units, if they are to be reported. A report is a fixed amount, sent with a probability in
 * proportion to the units. So reports add up to the reads of the fleet, and their number does not depend on its size.
 *
 * Two processes may start the sum at once. Then one report is lost, which only costs time.
 */
export function quietReport(
  state: ShardState,
  units: number,
  { random, epochSeconds }: { readonly random: Random; readonly epochSeconds: number },
): FleetUpdate | undefined {
  const reads = quietReadsOf(state)
  const amount = Math.max(
    REPORT_UNITS,
    reads === undefined ? 0 : REPORT_SECONDS * readRateOf(reads, epochSeconds),
  )
  const whole = Math.floor(units / amount)
  const reports = whole + (random.next() < units / amount - whole ? 1 : 0)
  if (reports === 0) return undefined
  const reported = String(Math.round(reports * amount))
  const { quietReads, quietSince, quietWeighed } = FLEET_ATTRIBUTES
  const names = { '#reads': quietReads, '#since': quietSince }
  if (reads !== undefined) {
    return {
      update: 'ADD #reads :units',
      names,
      values: { ':units': { N: reported }, ':since': { N: String(reads.since) } },
      condition: '#since = :since',
    }
  }
  const before = state.fleet?.quietReads?.since
  return {
    update: 'SET #reads = :units, #since = :now REMOVE #weighed',
    names: { ...names, '#weighed': quietWeighed },
    values: {
      ':units': { N: reported },
      ':now': { N: String(epochSeconds) },
      ...(before === undefined ? {} : { ':before': { N: String(before) } }),
    },
    condition: before === undefined ? 'attribute_not_exists(#since)' : '#since = :before',
  }
}
