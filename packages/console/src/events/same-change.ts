import type { HeatEvent, ScaledEvent } from '../api/heat-map.js'

/** A history has whole seconds, and a process that emits an event is not at the time of its write. */
const SAME_MILLISECONDS = 5_000

/** Whether two events are about the same change of a shard count. */
export function sameChange(one: HeatEvent, { at, key, to }: Pick<ScaledEvent, 'at' | 'key' | 'to'>): boolean {
  return (
    one.type === 'scaled' && one.key === key && one.to === to && Math.abs(one.at - at) <= SAME_MILLISECONDS
  )
}
