import type { KeysAndAttributes } from '@aws-sdk/client-dynamodb'
import type { KeyedTable } from '../keys/keyed-table.js'
import { MOVE_ATTRIBUTES } from '../protocol/index.js'
import { withKeys } from '../sdk/key-projection.js'
import { CollectingSource, type SearchSources } from './item-search.js'

/** The sources of one table's items, and the attributes to remove from their results. */
export interface TableSources {
  readonly sources: SearchSources
  readonly hides: readonly string[]
}

/** @throws a `ValidationException` with the service's text for an invalid projection */
export function tableSources(
  table: KeyedTable,
  tableName: string,
  { Keys: _keys, ConsistentRead, ...wanted }: Partial<KeysAndAttributes>,
): TableSources {
  const keys = keyNames(table)
  const { request, hides } = withKeys(wanted, [...keys, MOVE_ATTRIBUTES.moving])
  const consistent = new CollectingSource(tableName, { ...request, ConsistentRead: true }, keys)
  const asked = ConsistentRead === true ? consistent : new CollectingSource(tableName, request, keys)
  return { sources: { asked, consistent }, hides }
}

/** The names of a table's key attributes, beginning with the partition key. */
export function keyNames({ options: { partitionKey, sortKey } }: KeyedTable): readonly string[] {
  return sortKey === undefined ? [partitionKey] : [partitionKey, sortKey]
}
