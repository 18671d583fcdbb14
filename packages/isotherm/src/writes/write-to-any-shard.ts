import type { LogicalKey, PhysicalKey } from '../keys/key.js'
import type { TableRuntime } from '../table/table-runtime.js'
import { ShardWalk } from './shard-walk.js'
import { type AttemptLog, ThrottledAttempt } from './throttle-guard.js'

/** A write that any shard of its key may take. */
export interface ShardWrite<Output> {
  readonly key: LogicalKey
  /** Its size in write units. */
  readonly units: number
  readonly abortSignal: AbortSignal | undefined
  send(physical: PhysicalKey, log: AttemptLog): Promise<Output>
}

/** The part of the SDK's `$metadata` that counts attempts. */
export interface AttemptMetadata {
  attempts?: number | undefined
  totalRetryDelay?: number | undefined
}

/**
 * Writes to a random shard; when its partition refuses, to another one at once, and then with growing waits, until the
 * table's `maxAttempts`.
 *
 * @throws the SDK's own error: of the last attempt if it was throttled, or at once what is no throttle
 */
export async function writeToAnyShard<Output extends { readonly $metadata: AttemptMetadata }>(
  table: TableRuntime,
  { key, units, abortSignal, send }: ShardWrite<Output>,
): Promise<Output> {
  table.offered(key, units)
  const view = table.views.forWrite(key)
  // Not awaited where it is known: a tick for each write would be a tenth of its cost.
  const { shards } = view instanceof Promise ? await view : view
  const walk = new ShardWalk(table, key, shards)
  const log: AttemptLog = { mayBeWritten: false }
  let attempts = 0
  for (;;) {
    try {
      const output = await send(table.suffix.add(key, walk.shard), log)
      table.accepted(key, units)
      if (attempts > 0) addAttempts(output.$metadata, attempts, walk.waitedMilliseconds)
      return output
    } catch (error) {
      if (!(error instanceof ThrottledAttempt)) throw error
      attempts += error.$metadata?.attempts ?? 1
      const { throttle } = error
      const scope = await table.throttled({ key, shard: walk.shard, attempt: attempts, units, throttle })
      if (attempts >= table.options.maxAttempts) {
        throw withAttempts(throttle.error, attempts, walk.waitedMilliseconds)
      }
      await walk.next(scope, log.mayBeWritten, abortSignal)
    }
  }
}

function addAttempts(metadata: AttemptMetadata, earlier: number, waitedMilliseconds: number): void {
  metadata.attempts = (metadata.attempts ?? 1) + earlier
  metadata.totalRetryDelay = (metadata.totalRetryDelay ?? 0) + waitedMilliseconds
}

function withAttempts(error: Error, attempts: number, totalRetryDelay: number): Error {
  const metadata = '$metadata' in error && typeof error.$metadata === 'object' ? error.$metadata : {}
  return Object.assign(error, { $metadata: { ...metadata, attempts, totalRetryDelay } })
}
