import { type AttributeValue, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { keyValueOf } from '../keys/item-key.js'
import type { SuffixableKey } from '../keys/key.js'
import { MOVE_ATTRIBUTES } from '../protocol/index.js'
import type { IndexedTable } from './indexed-table.js'

type Attributes = Record<string, AttributeValue>

/**
 * The update that adds or corrects the shadow keys of a stored item, on the condition that their source attributes do
 * not change.
 *
 * @param stored the item's primary key, its attributes used by indexes, and its shadow keys
 * @returns `undefined` when the item's shadow keys are correct
 */
export function missingShadowKeys(table: IndexedTable, stored: Attributes): UpdateItemCommand | undefined {
  const { options } = table
  const place = table.placeOf(logicalItem(table, stored))
  if (place === undefined) return undefined
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
    const wanted = isKey && value ? table.addedFor(shadow, value, { place, operation: 'put' }) : undefined
    if (isSame(stored[shard.attribute], wanted)) continue
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

function isSame(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  if (a?.B !== undefined && b?.B !== undefined) return Buffer.compare(a.B, b.B) === 0
  return a?.S === b?.S && a?.N === b?.N && (a === undefined) === (b === undefined) && a?.B === b?.B
}
