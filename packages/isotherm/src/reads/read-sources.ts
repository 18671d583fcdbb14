import type { KeysAndAttributes } from '@aws-sdk/client-dynamodb'
import type { KeyedTable } from '../keys/keyed-table.js'
import { MOVE_ATTRIBUTES } from '../protocol/moves/move-attributes.js'
import { withKeys } from '../sdk/key-projection.js'
import { CollectingSource, type SearchSources } from './item-search.js'

/** How the places of one table's items are asked, and what is taken out of their answers. */
export interface TableSources {
  readonly sources: SearchSources
  readonly hides: readonly string[]
}

/** @throws a `ValidationException` in the service's words for a projection that is none */
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

/** The names of a table's key attributes, the partition key's first. */
export function keyNames({ options: { partitionKey, sortKey } }: KeyedTable): readonly string[] {
  return sortKey === undefined ? [partitionKey] : [partitionKey, sortKey]
}
