import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import {
  bindKeyCondition,
  compareKeyValues,
  type Item,
  type KeyValue,
  Placeholders,
  parseCondition,
} from '@isotherm/semantics'
import { contentOf, type KeyedTable } from './paths.js'
import type { Attributes } from './values.js'

type Input = Readonly<Record<string, unknown>>

/** What one page of a query says something about. */
export interface PageRange {
  readonly partition: string
  readonly isForward: boolean
  /** Whether an item with this sort key would be on the page. */
  covers(sort: AttributeValue): boolean
  /** Or might be: of items with the sort key of the one before the page, in other shards, nobody can say. */
  mayCover(sort: AttributeValue): boolean
}

/** @returns `undefined` for a query of which not every item of the range is given */
export function pageRange(table: KeyedTable, input: Input, output: Input): PageRange | undefined {
  if (
    input.IndexName !== undefined ||
    input.FilterExpression !== undefined ||
    input.ProjectionExpression !== undefined
  )
    return undefined
  if (output.Items === undefined) return undefined
  const placeholders = new Placeholders(
    input.ExpressionAttributeNames as Record<string, string> | undefined,
    input.ExpressionAttributeValues as Item | undefined,
  )
  const ast = parseCondition('KeyConditionExpression', String(input.KeyConditionExpression))
  const keys = bindKeyCondition(ast, placeholders, {
    hash: [{ name: table.partitionKey }],
    range: [{ name: table.sortKey }],
  })
  const [partition] = keys.partition
  const [condition] = keys.sort
  const isForward = input.ScanIndexForward !== false
  const start = (input.ExclusiveStartKey as Attributes | undefined)?.[table.sortKey]
  const end = (output.LastEvaluatedKey as Attributes | undefined)?.[table.sortKey]
  const isBehind = (a: AttributeValue, b: AttributeValue) =>
    (isForward ? 1 : -1) * (compareKeyValues(a as KeyValue, b as KeyValue) ?? 0) > 0
  const isInRange = (sort: AttributeValue) =>
    (condition === undefined || isWithin(sort as KeyValue, condition)) &&
    (end === undefined || !isBehind(sort, end))
  return {
    partition: contentOf(partition as AttributeValue),
    isForward,
    covers: (sort) => isInRange(sort) && (start === undefined || isBehind(sort, start)),
    mayCover: (sort) => isInRange(sort) && (start === undefined || !isBehind(start, sort)),
  }
}

function isWithin(sort: KeyValue, condition: ReturnType<typeof bindKeyCondition>['sort'][number]): boolean {
  const compared = (other: KeyValue) => compareKeyValues(sort, other) ?? 0
  switch (condition.operator) {
    case 'between':
      return compared(condition.from) >= 0 && compared(condition.to) <= 0
    case 'begins_with':
      return contentOf(sort as AttributeValue).startsWith(contentOf(condition.prefix as AttributeValue))
    case '=':
      return compared(condition.value) === 0
    case '<':
      return compared(condition.value) < 0
    case '<=':
      return compared(condition.value) <= 0
    case '>':
      return compared(condition.value) > 0
    default:
      return compared(condition.value) >= 0
  }
}
