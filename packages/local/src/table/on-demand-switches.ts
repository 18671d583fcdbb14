import type { CapacityParameters } from '../partition/capacity-parameters.js'

/**
 * When a table was switched from provisioned to on-demand mode. Plain data. Times are in milliseconds, the latest last.
 */
export interface OnDemandSwitches {
  /** The switches that may still count. There are never more than are allowed. */
  readonly onDemandSwitches?: readonly number[]
}

type Quota = Pick<CapacityParameters, 'onDemandSwitches' | 'onDemandSwitchSeconds'>

/** The list of switches after one more. */
export function switchesAfter(
  { onDemandSwitches = [] }: OnDemandSwitches,
  { onDemandSwitches: allowed }: Quota,
  now: number,
): OnDemandSwitches {
  return { onDemandSwitches: [...onDemandSwitches, now].slice(-allowed) }
}

/**
 * When the next switch is allowed: now, or when the oldest counted switch has left the window. The window rolls, so
 * midnight does not reset it. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-switching-capacity-modes.html
 */
export function nextSwitchAt(
  { onDemandSwitches = [] }: OnDemandSwitches,
  { onDemandSwitches: allowed, onDemandSwitchSeconds }: Quota,
  now: number,
): number {
  const first = onDemandSwitches.at(-allowed)
  return first === undefined ? now : Math.max(now, first + onDemandSwitchSeconds * 1000)
}
