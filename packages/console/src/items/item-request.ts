import type { JsonValue, KeyDescription } from './item.js'
import { keysOf, keyTypeOf } from './item.js'
import {
  ANY_SORT_KEY,
  type ItemFilter,
  type ItemQuery,
  lacksAttribute,
  NAME_THE_ATTRIBUTE,
  type SortCondition,
} from './item-query.js'

/** A request for items, without its start and its limit. */
export interface ItemRequest {
  readonly operation: 'Query' | 'Scan'
  readonly input: {
    readonly TableName: string
    readonly IndexName?: string
    readonly FilterExpression?: string
    readonly [member: string]: unknown
  }
}

/** Whether a query has a value for each attribute of the partition key, so that no scan is needed. */
export function hasPartitionKey({ partition }: ItemQuery, names: readonly string[]): boolean {
  return names.every((_, at) => (partition[at] ?? '') !== '')
}

/**
 * The request of a query.
 * @param index its name, or empty for the table itself
 * @throws Error as `requireAttributes`
 */
export function itemRequest(described: KeyDescription, index: string, query: ItemQuery): ItemRequest {
  requireAttributes(query)
  const names: Record<string, string> = {}
  const values: Record<string, JsonValue> = {}
  const name = (attribute: string) => {
    const placeholder = `#${Object.keys(names).length}`
    names[placeholder] = attribute
    return placeholder
  }
  const value = (type: string, text: string) => {
    const placeholder = `:${Object.keys(values).length}`
    values[placeholder] = typedValue(type, text)
    return placeholder
  }
  const keys = keysOf(described, index)
  const isQuery = hasPartitionKey(query, keys.partition)
  const keyConditions = [
    ...keys.partition.flatMap((each, at) => {
      const text = query.partition[at] ?? ''
      return text === '' ? [] : [`${name(each)} = ${value(keyTypeOf(described, each), text)}`]
    }),
    ...keys.sort.flatMap((each, at) => {
      const condition = withOpenEnd(query.sort[at] ?? ANY_SORT_KEY)
      if (condition.value === '') return []
      const type = keyTypeOf(described, each)
      return [sortCondition(name(each), condition, (text) => value(type, text))]
    }),
  ]
  const filters = [
    // A scan has no key conditions, but it can filter by attributes of the key.
    ...(isQuery ? [] : keyConditions),
    ...query.filters
      .filter(({ attribute }) => attribute !== '')
      .map((filter) => filterCondition(name(filter.attribute), filter, value)),
  ]
  return {
    operation: isQuery ? 'Query' : 'Scan',
    input: {
      TableName: described.TableName,
      ReturnConsumedCapacity: 'TOTAL',
      ...(index === '' ? {} : { IndexName: index }),
      ...(filters.length === 0 ? {} : { FilterExpression: filters.join(' AND ') }),
      ...(isQuery
        ? { KeyConditionExpression: keyConditions.join(' AND '), ScanIndexForward: !query.isDescending }
        : {}),
      ...(Object.keys(names).length === 0 ? {} : { ExpressionAttributeNames: names }),
      ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }),
    },
  }
}

/** @throws Error for a filter that lacks its attribute. Items that do not meet its condition would be shown as if they did. */
export function requireAttributes({ filters }: ItemQuery): void {
  const at = filters.findIndex(lacksAttribute)
  if (at >= 0) throw new Error(`Filter ${at + 1} names no attribute. ${NAME_THE_ATTRIBUTE}`)
}

/** A range with one end is open at the other. */
function withOpenEnd(condition: SortCondition): SortCondition {
  const { operator, value, upper } = condition
  if (operator !== 'between') return condition
  if (value === '') return { operator: '<=', value: upper, upper: '' }
  return upper === '' ? { operator: '>=', value, upper } : condition
}

function sortCondition(
  name: string,
  { operator, value, upper }: SortCondition,
  placeholderOf: (text: string) => string,
): string {
  if (operator === 'between') return `${name} BETWEEN ${placeholderOf(value)} AND ${placeholderOf(upper)}`
  if (operator === 'begins_with') return `begins_with(${name}, ${placeholderOf(value)})`
  return `${name} ${operator} ${placeholderOf(value)}`
}

function filterCondition(
  name: string,
  { operator, type, value }: ItemFilter,
  placeholderOf: (type: string, text: string) => string,
): string {
  if (operator === 'attribute_exists' || operator === 'attribute_not_exists') return `${operator}(${name})`
  const placeholder = placeholderOf(type, value)
  if (operator === 'begins_with' || operator === 'contains') return `${operator}(${name}, ${placeholder})`
  return `${name} ${operator} ${placeholder}`
}

function typedValue(type: string, text: string): JsonValue {
  if (type === 'BOOL') return { BOOL: text.trim().toLowerCase() === 'true' }
  if (type === 'NULL') return { NULL: true }
  return { [type]: type === 'N' ? text.trim() : text }
}
