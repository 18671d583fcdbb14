import type { QueryCommandInput } from '@aws-sdk/client-dynamodb'
import type { KeyValue } from '@isotherm/semantics'
import { canonicalKeyValue, keyValueOf } from '../keys/item-key.js'
import type { SuffixableKey } from '../keys/key.js'
import type { QueriedTable } from '../queries/queried-table.js'
import type { StoredKey } from '../queries/query-source.js'
import type { TakenCommand } from '../sdk/taken-command.js'
import { inServiceClass } from '../sdk/validation-exception.js'
import type { ShardedIndex } from './index-options.js'
import { shardedIndexSource } from './index-source.js'
import { isSameValue } from './same-value.js'
import { indexShard, ShadowKey } from './shadow-key.js'
import { locateStart } from './stored-start-key.js'

/**
 * Completes a start key of a sharded index that lacks the attribute with the shard. Object mappers drop attributes that
 * they do not know from a `LastEvaluatedKey`, and make start keys of items, which do not show it. Instead of it, such a
 * key may have the attribute that the index is queried by.
 *
 * The shard is read from the item. It could be calculated for a fixed count, but entries stay where they are when the
 * count is raised.
 *
 * @param value the value that the index is queried for
 * @returns `undefined` if the start key is left as it is
 */
export function withShardOfItem(
  command: TakenCommand<QueriedTable>,
  input: QueryCommandInput,
  index: ShardedIndex,
  value: KeyValue,
): Promise<QueryCommandInput> | undefined {
  const { table } = command
  const { ExclusiveStartKey: start } = input
  if (start === undefined) return undefined
  const { keyAttributes } = shardedIndexSource(table, index, value)
  const hash = Object.keys(new ShadowKey(table.options, index).attributes(value, 1))
  const isKnown = (name: string) => keyAttributes.includes(name) || name === index.partitionKey
  const lacks = (name: string) => start[name] === undefined
  // A start key with anything else, or of another value, is refused like a foreign one.
  if (!Object.keys(start).every(isKnown) || !isOfValue(start, index, value)) return undefined
  if (keyAttributes.some((name) => !hash.includes(name) && lacks(name))) return undefined
  const own = Object.fromEntries(Object.entries(start).filter(([name]) => keyAttributes.includes(name)))
  const given = { ...input, ExclusiveStartKey: own }
  if (!lacks(index.shard.attribute)) {
    return Object.keys(own).length === Object.keys(start).length ? undefined : Promise.resolve(given)
  }
  return completed(command, given, { start: own, index, value }).catch((error: unknown) => {
    throw inServiceClass(error)
  })
}

function isOfValue(start: StoredKey, { partitionKey }: ShardedIndex, value: KeyValue): boolean {
  if (start[partitionKey] === undefined) return true
  return isSameValue(keyValueOf(start[partitionKey]), canonicalKeyValue(value))
}

async function completed(
  command: TakenCommand<QueriedTable>,
  given: QueryCommandInput,
  {
    start,
    index,
    value,
  }: { readonly start: StoredKey; readonly index: ShardedIndex; readonly value: KeyValue },
): Promise<QueryCommandInput> {
  const { table } = command
  const shadow = new ShadowKey(table.options, index)
  const { input, item } = await locateStart(command, given, index.shard.attribute)
  const stored = item && shardedIndexSource(table, index, value).shardOf({ ...shadowed(item, index, value) })
  const shard = stored ?? calculatedShard(table, start, index)
  return { ...input, ExclusiveStartKey: { ...input.ExclusiveStartKey, ...shadow.attributes(value, shard) } }
}

/** The item with the value that the index is queried for, which is beside the shard if the shard has a separate attribute. */
function shadowed(item: StoredKey, { shard, partitionKey }: ShardedIndex, value: KeyValue): StoredKey {
  return shard.in === 'attribute' ? { ...item, [partitionKey]: { ...value } } : item
}

/** The shard in which the entry was at first, if the item does not exist any more or has another value now. */
function calculatedShard(
  { options, suffix, placementKind }: QueriedTable,
  start: StoredKey,
  { shards }: ShardedIndex,
) {
  const { partitionKey, sortKey } = options
  const key = keyValueOf(start[partitionKey])
  const isStored = placementKind !== 'bare' && key !== undefined && !('N' in key)
  const logical = isStored ? (suffix.strip(key as SuffixableKey)?.logical ?? key) : key
  const sort = sortKey === undefined ? undefined : keyValueOf(start[sortKey])
  const place = [logical, sort].filter((value) => value !== undefined) as KeyValue[]
  return indexShard(place, shards.kind === 'fixed' ? shards.count() : shards.initial)
}
