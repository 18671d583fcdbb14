import { keptPartitions } from '../catalog/kept-partitions.js'
import type { GivenSettings } from '../engine/engine-settings.js'
import type { RecordChange } from '../storage/record.js'
import type { SetupPartitions, TraceHeader } from '../trace/trace-format.js'

/**
 * The settings of the replaying engine: those of the recorded engine. Traces of version 1 do not contain them.
 *
 * At a higher rate, less time passes between creating a table and using it. So tables are created faster by the same
 * factor, or their first requests would not find them.
 */
export function replaySettings(
  { settings }: Pick<TraceHeader, 'settings'>,
  model: TraceHeader['model'],
  rate: number,
): GivenSettings {
  if (settings === undefined) return { capacity: { model } }
  const { capacity, delays, controlPlaneLimits } = settings
  // Engines of earlier versions had no bursts of their own for indexes.
  const earlier = { indexPartitionBurstSeconds: capacity.partitionBurstSeconds }
  const { changingRequestsPerSecond } = controlPlaneLimits
  return {
    ...settings,
    capacity: { ...earlier, ...capacity, model },
    delays: Object.fromEntries(Object.entries(delays).map(([what, delay]) => [what, delay / rate])),
    // Among the requests with separate rate limits, only those that change tables are replayed.
    controlPlaneLimits: {
      ...controlPlaneLimits,
      changingRequestsPerSecond: changingRequestsPerSecond * rate,
    },
  }
}

/** The partitions of tables at the start of the recording, as records of a store. */
export function partitionsOfSetup(partitions: readonly SetupPartitions[]): readonly RecordChange[] {
  return partitions.flatMap(({ region, table, index, borders, capacity }) =>
    keptPartitions(
      index === undefined ? `${region}/${table}` : `${region}/${table}/${index}`,
      borders,
      capacity,
    ),
  )
}
