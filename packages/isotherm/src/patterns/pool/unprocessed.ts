import { IsothermError } from '../../errors/isotherm-error.js'
import { refusalOf } from '../refusal.js'
import { isTransient } from '../sending/is-transient.js'
import type { PoolTarget } from './pool-items.js'

/** Errors of a sharded client whose shard map was too slow, or throttled. */
const OF_THE_SHARD_MAP: ReadonlySet<unknown> = new Set(['shard-map.slow', 'shard-map.unavailable'])

/** Whether items that met the error would meet it again: it is not for want of capacity or of an answer. */
export function isLasting(error: unknown): boolean {
  const refusal = refusalOf(error)
  if (refusal !== undefined) return refusal.kind === 'condition'
  return !isTransient(error) && !(error instanceof IsothermError && OF_THE_SHARD_MAP.has(error.code))
}

/** What came of an `add` that did not add all items. */
interface PartlyAdded {
  /** Those that are not known to be in the pool. */
  readonly ids: readonly string[]
  readonly existing: readonly string[]
  readonly asked: number
  readonly cause: unknown
}

export function unprocessed(
  { options: { table, timeoutMilliseconds } }: PoolTarget,
  { ids, existing, asked, cause }: PartlyAdded,
): IsothermError<'pool.unprocessed'> {
  const met =
    cause instanceof Error
      ? `one met ${cause instanceof IsothermError ? cause.code : cause.name}`
      : 'DynamoDB left them unprocessed'
  return new IsothermError(
    'pool.unprocessed',
    `${ids.length} of ${asked} items were not added to ${table}: ${met} for ${timeoutMilliseconds} ms. Add details.ids again, more slowly.`,
    { table, ids, existing },
    { cause },
  )
}
