import type { PartitionEvent } from '@isotherm/local'
import type { HeatEvent } from '../api/heat-map.js'

/** An event of the engine's partitions, for the time axis. */
export function partitionEvent(event: PartitionEvent): HeatEvent {
  const { at, table, index, partition } = event
  const where = { at, table, ...(index === undefined ? {} : { index }), partition }
  return event.type === 'split'
    ? { ...where, type: 'split', into: event.into, reason: event.cause }
    : { ...where, type: 'split-refused', reason: event.because }
}
