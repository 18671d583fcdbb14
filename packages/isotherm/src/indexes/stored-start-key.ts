import type { QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { keyValueOf } from '../keys/item-key.js'
import type { LogicalKey, SuffixableKey } from '../keys/key.js'
import { placementIn } from '../protocol/index.js'
import type { QueriedTable } from '../queries/queried-table.js'

/**
 * Replaces the logical key in a start key of an index that an application wrote by hand. Items with equal keys of the
 * index are ordered by their stored keys, so the start key must have the stored key of its item.
 *
 * With a random suffix the item may be in any shard, and the start key is left as it is.
 *
 * @returns `undefined` if the start key has no logical key
 */
export function withStoredStartKey(
  table: QueriedTable,
  input: QueryCommandInput,
): Promise<QueryCommandInput> | undefined {
  const { ExclusiveStartKey: start } = input
  const { partitionKey, sortKey, adopt } = table.options
  if (start === undefined || table.placementKind !== 'calculated') return undefined
  const key = start[partitionKey]
  if (key === undefined || (key.S === undefined && key.B === undefined)) return undefined
  // In an adopted table, a key without a suffix may be stored, too.
  if (adopt || table.suffix.strip(key as SuffixableKey) !== undefined) return undefined
  const sort = sortKey === undefined ? undefined : keyValueOf(start[sortKey])
  if (sortKey !== undefined && sort === undefined) return undefined
  return stored(table, input, { logical: key as LogicalKey, sort })
}

async function stored(
  table: QueriedTable,
  input: QueryCommandInput,
  key: { readonly logical: LogicalKey; readonly sort: ReturnType<typeof keyValueOf> },
): Promise<QueryCommandInput> {
  const view = await table.views.forRead(key.logical, { consistent: false })
  const place = placementIn(table).home(view, key)
  const physical = table.suffix.add(key.logical, place)
  const start = { ...input.ExclusiveStartKey, [table.options.partitionKey]: { ...physical } }
  return { ...input, ExclusiveStartKey: start }
}
