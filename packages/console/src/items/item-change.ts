import { type JsonItem, type JsonValue, type KeyDescription, primaryKeyOf } from './item.js'

/** The mark of an item that is being moved to another shard. No write may change such an item. */
const MOVING = 'isotherm_moving'
/** An expression has at most 4 KB and 300 operators. */
const MAX_COMPARED = 100

/** What a change of an item depends on. */
export interface ItemPlace {
  readonly described: KeyDescription
  /** Whether the library moves the items of the table. */
  readonly isSharded: boolean
}

/**
 * The input of PutItem. A new item never replaces another one, and a changed one must be as it was read.
 * @param before the item as it was read, or `undefined` for a new one
 */
export function putInput(place: ItemPlace, before: JsonItem | undefined, item: JsonItem): object {
  const { described } = place
  const isChange =
    before !== undefined && same(primaryKeyOf(described, before), primaryKeyOf(described, item))
  const condition = isChange ? unchanged(place, before, Object.keys(item)) : absent(described)
  return { TableName: described.TableName, Item: item, ...condition }
}

/** The input of DeleteItem, for an item that is as it was read. */
export function deleteInput(place: ItemPlace, item: JsonItem): object {
  const { described } = place
  return {
    TableName: described.TableName,
    Key: primaryKeyOf(described, item),
    ...unchanged(place, item, []),
  }
}

function absent({ KeySchema }: KeyDescription) {
  return {
    ConditionExpression: 'attribute_not_exists(#k)',
    ExpressionAttributeNames: { '#k': KeySchema[0]?.AttributeName ?? '' },
  }
}

/** The condition that an item has its attributes, and none of others. */
function unchanged({ described, isSharded }: ItemPlace, item: JsonItem, others: readonly string[]) {
  const names: Record<string, string> = {}
  const values: Record<string, JsonValue> = {}
  const key = described.KeySchema[0]?.AttributeName ?? ''
  const all = Object.entries(item)
  // Too many to compare: the item must still be there.
  const compared = all.length > MAX_COMPARED ? all.filter(([name]) => name === key) : all
  const added = others.filter((name) => !Object.hasOwn(item, name)).slice(0, MAX_COMPARED)
  const terms = compared.map(([name, value], at) => {
    names[`#${at}`] = name
    values[`:${at}`] = value
    return `#${at} = :${at}`
  })
  const gone = [...added, ...(isSharded ? [MOVING] : [])].map((name, at) => {
    names[`#n${at}`] = name
    return `attribute_not_exists(#n${at})`
  })
  return {
    ConditionExpression: [...terms, ...gone].join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  }
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
