import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { KeyValue } from '@isotherm/semantics'
import { IsothermError } from '../errors/isotherm-error.js'
import { keyValueOf } from '../keys/item-key.js'
import { keyText, type LogicalKey } from '../keys/key.js'
import { readKey } from '../keys/read-key.js'
import type { TableRuntime } from '../table/table-runtime.js'
import type { Position } from './position.js'
import { contains, type SortRange } from './sort-range.js'
import { validationException } from './validation-exception.js'

type Key = Record<string, AttributeValue>

/**
 * The place that a cursor stands for: it is the physical key of an item, so it needs no state anywhere, and holds
 * whatever the number of shards is by now.
 *
 * @throws IsothermError `cursor.invalid` for a key that no page of this query ended with
 */
export function readCursor(table: TableRuntime, logical: LogicalKey, range: SortRange, key: Key): Position {
  const { name, partitionKey, sortKey } = table.options
  const attributes = sortKey === undefined ? [partitionKey] : [partitionKey, sortKey]
  const surplus = Object.keys(key).find((attribute) => !attributes.includes(attribute))
  if (surplus !== undefined) throw invalidCursor(name, surplus)
  const stripped = table.suffix.strip(readKey(name, partitionKey, key[partitionKey]))
  if (stripped === undefined || keyText(stripped.logical) !== keyText(logical))
    throw invalidCursor(name, partitionKey)
  if (sortKey === undefined) return { sort: undefined, shard: stripped.shard }
  const sort = keyValueOf(key[sortKey])
  if (sort === undefined) throw invalidCursor(name, sortKey)
  if (!contains(range, sort)) {
    throw validationException(
      'The provided starting key is outside query boundaries based on provided conditions',
    )
  }
  return { sort, shard: stripped.shard }
}

/** The cursor of a place: an ordinary `LastEvaluatedKey`. */
export function writeCursor(table: TableRuntime, logical: LogicalKey, { sort, shard }: Position): Key {
  return physicalKeyOf(table, logical, shard, sort)
}

/** A primary key in one shard. */
export function physicalKeyOf(
  table: TableRuntime,
  logical: LogicalKey,
  shard: number,
  sort: KeyValue | undefined,
): Key {
  const { partitionKey, sortKey } = table.options
  const key: Key = { [partitionKey]: { ...table.suffix.add(logical, shard) } }
  if (sortKey !== undefined && sort !== undefined) key[sortKey] = { ...sort }
  return key
}

function invalidCursor(table: string, attribute: string): IsothermError<'cursor.invalid'> {
  return new IsothermError(
    'cursor.invalid',
    `The ExclusiveStartKey of the query on ${table} has a ${attribute} that no page of this query ended with; ` +
      "a page goes on with the LastEvaluatedKey of the one before, and with that page's key condition.",
    { table, attribute },
  )
}
