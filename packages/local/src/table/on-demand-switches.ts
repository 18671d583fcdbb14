import type { CapacityParameters } from '../capacity/capacity-parameters.js'

/** When a table was switched from provisioned to on-demand mode. Plain data; times in milliseconds, the latest last. */
export interface OnDemandSwitches {
  /** Those that may still count, which are never more than are allowed. */
  readonly onDemandSwitches?: readonly number[]
}

type Quota = Pick<CapacityParameters, 'onDemandSwitches' | 'onDemandSwitchSeconds'>

/** The switches after one more. */
export function switchesAfter(
  { onDemandSwitches = [] }: OnDemandSwitches,
  { onDemandSwitches: allowed }: Quota,
  now: number,
): OnDemandSwitches {
  return { onDemandSwitches: [...onDemandSwitches, now].slice(-allowed) }
}

/**
 * When the next switch is allowed: now, or when the first of those that use up the window has left it. The window rolls:
 * midnight brings no new ones.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-switching-capacity-modes.html
 */
export function nextSwitchAt(
  { onDemandSwitches = [] }: OnDemandSwitches,
  { onDemandSwitches: allowed, onDemandSwitchSeconds }: Quota,
  now: number,
): number {
  const first = onDemandSwitches.at(-allowed)
  return first === undefined ? now : Math.max(now, first + onDemandSwitchSeconds * 1000)
}
