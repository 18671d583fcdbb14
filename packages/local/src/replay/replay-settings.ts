import { keptPartitions } from '../catalog/kept-partitions.js'
import type { GivenSettings } from '../engine/engine-settings.js'
import type { RecordChange } from '../storage/record.js'
import type { SetupPartitions, TraceHeader } from '../trace/trace-format.js'

/**
 * By what the replaying engine goes: as the recorded one did. Traces of version 1 do not say.
 *
 * Where requests come denser, so does the time between making a table and using it: then tables have to be made as much
 * faster, or their first requests would find none.
 */
export function replaySettings(
  { settings }: Pick<TraceHeader, 'settings'>,
  model: TraceHeader['model'],
  rate: number,
): GivenSettings {
  if (settings === undefined) return { capacity: { model } }
  const { capacity, delays, controlPlaneLimits } = settings
  const { changingRequestsPerSecond } = controlPlaneLimits
  return {
    ...settings,
    capacity: { ...capacity, model },
    delays: Object.fromEntries(Object.entries(delays).map(([what, delay]) => [what, delay / rate])),
    // Of the requests that have limits of their own only those that change tables are run again.
    controlPlaneLimits: {
      ...controlPlaneLimits,
      changingRequestsPerSecond: changingRequestsPerSecond * rate,
    },
  }
}

/** The partitions that tables had when the recording began, as a store keeps them. */
export function partitionsOfSetup(partitions: readonly SetupPartitions[]): readonly RecordChange[] {
  return partitions.flatMap(({ region, table, index, borders, capacity }) =>
    keptPartitions(
      index === undefined ? `${region}/${table}` : `${region}/${table}/${index}`,
      borders,
      capacity,
    ),
  )
}
