import { IsothermError } from '../errors/isotherm-error.js'
import { type LogicalKey, plainKey } from './key.js'

/** The error for a logical key of a table that was sharded by hand, if it looks like one of its stored keys. */
export function ambiguousKey(table: string, logical: LogicalKey): IsothermError<'key.ambiguous'> {
  const value = plainKey(logical)
  const shown = typeof value === 'string' ? JSON.stringify(value) : 'of bytes'
  return new IsothermError(
    'key.ambiguous',
    `The partition key ${shown} of ${table} looks like a stored key, which names a shard. Requests have logical keys: leave the shard out. ` +
      'If your logical keys can look like this, set acceptLookalikes: true in handMade.',
    { table, logicalKey: value },
  )
}
