import type { KeyValue } from '@isotherm/semantics'
import { FOREIGN_START_KEY_TEXT } from '@isotherm/semantics'
import { IsothermError } from '../errors/isotherm-error.js'
import { keyValueOf } from '../keys/item-key.js'
import { MAX_SHARDS } from '../options/shard-limits.js'
import { validationException } from '../sdk/validation-exception.js'
import type { Position } from './position.js'
import type { QuerySource, StoredKey } from './query-source.js'
import { contains, type SortRange } from './sort-range.js'

/** The position at which a page ended. */
export interface Cursor extends Position {
  readonly key: StoredKey
}

/**
 * The shard of a start key that an application wrote with the logical key: behind all shards, since all of them continue
 * after its sort key.
 */
const BEHIND_ALL_SHARDS = MAX_SHARDS + 1

/** The shard that a start key names, or 1 for one that names none. */
export function namedShard(cursor: Cursor | undefined): number {
  return cursor === undefined || cursor.shard === BEHIND_ALL_SHARDS ? 1 : cursor.shard
}

/** @throws IsothermError `cursor.invalid` for a start key with a value that no key has; ValidationError for a number that is none */
export function checkStartKey(table: string, start: StoredKey | undefined): void {
  for (const attribute in start) {
    if (keyValueOf(start[attribute]) === undefined) throw invalidCursor(table, attribute)
  }
}

/**
 * Converts a cursor to its position. The cursor is the stored key of an item, so it needs no state, and stays valid for
 * any number of shards. A key that was written by hand has the logical key instead.
 *
 * @param hasLogicalKey whether the key is known to be the logical one. In an adopted table it is the stored key of the
 * first shard, too.
 * @throws IsothermError `cursor.invalid` for a key with which no page of this query ends
 */
export function readCursor(
  table: string,
  source: QuerySource,
  range: SortRange,
  key: StoredKey,
  hasLogicalKey = false,
): Cursor {
  const { keyAttributes, sortKey } = source
  const surplus = Object.keys(key).find((attribute) => !keyAttributes.includes(attribute))
  const missing = keyAttributes.find((attribute) => key[attribute] === undefined)
  const stored = hasLogicalKey ? undefined : source.shardOf(key)
  const shard = stored ?? shardOfLogical(source, key)
  const wrong = shard === undefined ? keyAttributes[0] : (surplus ?? missing)
  if (shard === undefined || wrong !== undefined) throw invalidCursor(table, wrong ?? '')
  if (sortKey === undefined) return { sort: undefined, shard, key }
  const sort = keyValueOf(key[sortKey])
  if (sort === undefined) throw invalidCursor(table, sortKey)
  if (!contains(range, sort)) {
    throw validationException(FOREIGN_START_KEY_TEXT)
  }
  return { sort, shard, key }
}

/** In an index with equal sort keys, the logical key does not determine the position. */
function shardOfLogical(source: QuerySource, key: StoredKey): number | undefined {
  return source.isUnique && source.isLogical(key) ? BEHIND_ALL_SHARDS : undefined
}

/**
 * Converts a position to a cursor, which is an ordinary `LastEvaluatedKey`.
 * @param stored an item or key at that position, for attributes that shard and sort key do not determine
 */
export function writeCursor(source: QuerySource, { sort, shard }: Position, stored: StoredKey): StoredKey {
  if (source.isUnique) return keyAt(source, shard, sort)
  return Object.fromEntries(
    source.keyAttributes.flatMap((attribute) => {
      const value = stored[attribute]
      return value === undefined ? [] : [[attribute, value]]
    }),
  )
}

/** The key at a position that has at most one item. */
export function keyAt(source: QuerySource, shard: number, sort: KeyValue | undefined): StoredKey {
  const key = source.hashOf(shard)
  if (source.sortKey !== undefined && sort !== undefined) key[source.sortKey] = { ...sort }
  return key
}

export function invalidCursor(table: string, attribute: string): IsothermError<'cursor.invalid'> {
  return new IsothermError(
    'cursor.invalid',
    `The ExclusiveStartKey of the query on ${table} has a ${attribute} that no page of this query ended with; ` +
      'continue with the LastEvaluatedKey of the page before, and its key condition.',
    { table, attribute },
  )
}
