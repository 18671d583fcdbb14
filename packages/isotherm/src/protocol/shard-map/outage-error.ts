import { IsothermError } from '../../errors/isotherm-error.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import { throttleOf } from '../../sdk/throttle.js'

/** Errors of the process and of requests that are wrong. */
const NOT_OF_THE_SERVICE: ReadonlySet<string> = new Set([
  'AbortError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'ValidationException',
])

const LEAST_FAULT_OF_THE_SERVICE = 500

/** Whether the error means that the shard map does not answer, and not that the request or the options are wrong. */
export function isOutage(error: unknown): boolean {
  if (error instanceof IsothermError) return error.code === 'shard-map.missing' || error.code === 'card.lost'
  if (!(error instanceof Error)) return false
  // A proxy or a load balancer may answer with a page that is not JSON, which the SDK cannot parse.
  if (statusOf(error) >= LEAST_FAULT_OF_THE_SERVICE) return true
  if (NOT_OF_THE_SERVICE.has(error.name)) return false
  // The SDK adds the metadata to errors of the network, too.
  return error.name !== 'Error' || '$metadata' in error || 'code' in error
}

function statusOf(error: Error): number {
  const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } }
  return $metadata?.httpStatusCode ?? 0
}

/** Whether the error stays until somebody does something. */
export function isLasting(error: unknown): boolean {
  if (error instanceof IsothermError) return true
  return (error as { readonly $fault?: unknown }).$fault === 'client' && throttleOf(error) === undefined
}

/** The error of a request whose time is over. An error of the library says already what to do, so it is returned unchanged. */
export function unavailable(
  { name, shardMap }: Pick<ShardedTable, 'name' | 'shardMap'>,
  cause: unknown,
): unknown {
  if (cause instanceof IsothermError) return cause
  const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  return new IsothermError(
    'shard-map.unavailable',
    `The shard map ${shardMap} of ${name} did not answer until retryDeadline, so it is not known where the item is. Nothing was written. ` +
      `The last error was ${reason}. Restore access to ${shardMap}; the process continues by itself.`,
    { table: name, shardMap },
    { cause },
  )
}
