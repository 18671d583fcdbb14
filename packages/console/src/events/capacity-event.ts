import type { CapacityEvent } from '@isotherm/local'
import type { HeatEvent } from '../api/heat-map.js'

/** A change of the capacity of a table or an index, for the time axis. */
export function capacityEvent({ at, table, index, from, to }: CapacityEvent): HeatEvent {
  return { type: 'capacity', at, table, ...(index === undefined ? {} : { index }), from, to }
}
