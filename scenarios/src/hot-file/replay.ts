import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import { auditItem } from './audit-item.js'
import type { Measurements } from './measurements.js'
import { isThrottling } from './throttling.js'
import { type AuditEntry, TICK_MILLISECONDS, type Workload } from './workload.js'
import type { WorkloadParameters } from './workload-parameters.js'

/** One strategy's share of a run. */
export interface Replay {
  readonly db: DynamoDBClient
  readonly table: string
  readonly workload: Workload
  readonly parameters: WorkloadParameters
  readonly measurements: Measurements
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Called after each tick. */
  readonly onTick: () => void
}

/**
 * Sends each write when it is due, whether or not earlier writes succeeded: visitors do not wait for each other. Ends
 * when the last write is answered.
 *
 * @throws the signal's reason, once it is aborted
 */
export async function replay(parts: Replay): Promise<void> {
  const { workload, parameters, measurements, clock, signal } = parts
  const unanswered = new Set<Promise<void>>()
  const startedAt = clock.now()
  measurements.start()
  for (let tick = 0; tick < workload.ticks; tick++) {
    await clock.sleep(Math.max(0, startedAt + tick * TICK_MILLISECONDS - clock.now()), signal)
    measurements.late(clock.now() - startedAt - tick * TICK_MILLISECONDS)
    for (const entry of workload.entriesOf(tick)) {
      measurements.offered()
      if (unanswered.size >= parameters.maxInFlight) {
        measurements.shed()
        continue
      }
      const write = put(parts, entry).finally(() => unanswered.delete(write))
      unanswered.add(write)
    }
    parts.onTick()
  }
  await Promise.all(unanswered)
  await clock.sleep(Math.max(0, startedAt + workload.ticks * TICK_MILLISECONDS - clock.now()), signal)
}

/** Never rejects: the outcome of the write is recorded in the measurements. */
async function put(parts: Replay, entry: AuditEntry): Promise<void> {
  const { db, table, workload, parameters, measurements } = parts
  try {
    await db.send(new PutItemCommand({ TableName: table, Item: auditItem(entry, parameters.itemBytes) }))
  } catch (error) {
    if (isThrottling(error)) measurements.givenUp()
    else measurements.failed(error)
    return
  }
  measurements.accepted()
  if (entry.request.path === workload.viralPath) measurements.acceptedOfViralFile(entry.accessedAt)
}
