import { type AttributeValue, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { keyValueOf } from '../keys/item-key.js'
import type { SuffixableKey } from '../keys/key.js'
import { MOVE_ATTRIBUTES } from '../protocol/index.js'
import type { IndexedTable, WrittenItem } from './indexed-table.js'
import { isSameValue } from './same-value.js'
import type { ShadowKey } from './shadow-key.js'
import type { ShardChoice } from './shard-choice.js'

type Attributes = Record<string, AttributeValue>

/**
 * The update that adds or corrects the shadow keys of a stored item, on the condition that their source attributes do
 * not change.
 *
 * @param given the item's primary key, its attributes used by indexes, and its shadow keys
 * @returns `undefined` when the item's shadow keys are correct
 */
export function missingShadowKeys(
  table: IndexedTable,
  given: Attributes,
  choice: ShardChoice,
): UpdateItemCommand | undefined {
  const { options } = table
  // An attribute can have the name of a property that every object has, such as `constructor`.
  const stored: Attributes = Object.assign(Object.create(null), given)
  const place = table.placeOf(logicalItem(table, stored))
  if (place === undefined) return undefined
  const item: WrittenItem = { place, operation: 'put', attributes: stored, choice }
  const names: Record<string, string> = { '#key': options.partitionKey }
  const values: Attributes = {}
  const conditions = ['attribute_exists(#key)']
  const set: string[] = []
  const remove: string[] = []
  for (const [position, shadow] of table.shadows.entries()) {
    const { partitionKey, shard } = shadow.index
    const value = stored[partitionKey]
    // An item with a value that no index accepts as a key is in no index.
    const isKey = keyValueOf(value) !== undefined && value?.S !== '' && value?.B?.length !== 0
    const wanted = isKey && value ? table.addedFor(shadow, value, item) : undefined
    const isFound = wanted !== undefined && isInAnyShard(table, shadow, stored, choice)
    if (isFound || isSameValue(stored[shard.attribute], wanted)) continue
    names[`#own${position}`] = shard.attribute
    names[`#of${position}`] = partitionKey
    if (value === undefined) conditions.push(`attribute_not_exists(#of${position})`)
    else {
      conditions.push(`#of${position} = :of${position}`)
      values[`:of${position}`] = value
    }
    if (wanted === undefined) remove.push(`#own${position}`)
    else {
      set.push(`#own${position} = :own${position}`)
      values[`:own${position}`] = wanted
    }
  }
  if (set.length + remove.length === 0) return undefined
  // A move copies the item in the state when it was marked, so a marked item must not change.
  if (options.itemsMayMove) conditions.push(`attribute_not_exists(${MOVE_ATTRIBUTES.moving})`)
  const clauses = [
    ...(set.length === 0 ? [] : [`SET ${set.join(', ')}`]),
    ...(remove.length === 0 ? [] : [`REMOVE ${remove.join(', ')}`]),
  ]
  return new UpdateItemCommand({
    TableName: options.name,
    Key: Object.fromEntries(Object.entries(stored).filter(([name]) => table.keys.includes(name))),
    UpdateExpression: clauses.join(' '),
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }),
  })
}

/** The item with its logical key, or without a key when the library has not written it. */
function logicalItem({ runtime: { options, suffix } }: IndexedTable, stored: Attributes): Attributes {
  const { partitionKey } = options
  const value = stored[partitionKey]
  if (options.suffix === 'none' || value === undefined) return stored
  const logical = suffix.strip(value as SuffixableKey)?.logical
  return logical === undefined ? {} : { ...stored, [partitionKey]: { ...logical } }
}

/** Whether queries of a dynamic index find the item. It may be in any shard of its value that was ever in use. */
function isInAnyShard(
  { runtime }: IndexedTable,
  shadow: ShadowKey,
  stored: Attributes,
  choice: ShardChoice,
): boolean {
  const { partitionKey, shard } = shadow.index
  const counts = runtime.indexCounts.get(shard.attribute)
  const value = keyValueOf(stored[partitionKey])
  const number = shadow.shardIn(stored)
  if (counts === undefined || value === undefined || number === undefined) return false
  const isOfValue = isSameValue(stored[shard.attribute], shadow.attributes(value, number)[shard.attribute])
  return isOfValue && choice.covers(counts, shadow, value, number)
}
