import { canonicalNumber } from '@isotherm/semantics'
import { isJsonObject, type JsonObject } from '../../json.js'
import { TABLES } from '../../model/tables.js'
import type { Adjustment } from '../adjustment.js'
import { canonical } from '../canonical.js'

/** Parts of items. */
export const ITEMS: readonly Adjustment[] = [
  {
    name: 'whole-attributes-of-nested-updates',
    reason:
      'Where an update sets something inside an attribute, DynamoDB Local returns the whole attribute. The service returns what was set.',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html (ReturnValues): only the updated attributes; public test-suites that pass on the service show it for nested ones.',
    adjust: (answers, { operation, request }) =>
      operation === 'UpdateItem' &&
      'ReturnValues' in request &&
      String(request.ReturnValues).startsWith('UPDATED_')
        ? { ours: withAttributeNames(answers.ours), theirs: withAttributeNames(answers.theirs) }
        : answers,
  },
  {
    name: 'start-key-among-equal-entries',
    reason:
      "What comes after a start key in a global index depends on the order of entries whose keys are equal, which is each side's own.",
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html: entries of equal keys have no particular order.',
    adjust: (answers, { operation, request }) =>
      operation === 'Query' && 'ExclusiveStartKey' in request && 'IndexName' in request
        ? { ours: {}, theirs: {} }
        : answers,
  },
  {
    name: 'filter-of-a-scan-sees-the-table',
    reason: 'When DynamoDB Local scans an index, its filter sees attributes that the index does not hold.',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html: attributes that are not projected are not there. Both refuse such a filter in a query.',
    adjust: (answers, { operation, request }) =>
      operation === 'Scan' && 'FilterExpression' in request && readsNarrowIndex(request)
        ? { ours: scannedOnly(answers.ours), theirs: scannedOnly(answers.theirs) }
        : answers,
  },
  {
    name: 'numbers-as-they-were-written',
    reason:
      'DynamoDB Local gives numbers inside lists and maps back as they were written. The service trims zeros everywhere.',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html: leading and trailing zeroes are trimmed.',
    adjust: ({ ours, theirs }) => ({ ours, theirs: withCanonicalNumbers(theirs) as JsonObject }),
  },
  {
    name: 'empty-item-of-a-transaction',
    reason:
      'DynamoDB Local returns an empty item in TransactGetItems when a projection matches nothing of it. The service returns none.',
    source:
      'https://github.com/paritysuite/dynamodb-conformance (tests/tier1/transactGetItems), recorded in October 2026.',
    adjust: (answers, { operation }) =>
      operation === 'TransactGetItems' ? { ...answers, theirs: withoutEmptyItems(answers.theirs) } : answers,
  },
  {
    name: 'no-item-collection-metrics',
    reason: 'DynamoDB Local never returns the size of an item collection.',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/DynamoDBLocal.UsageNotes.html: item collection metrics are not tracked.',
    adjust: ({ ours: { ItemCollectionMetrics: _ours, ...ours }, theirs }) => ({ ours, theirs }),
  },
]

function withoutEmptyItems(body: JsonObject): JsonObject {
  if (!Array.isArray(body.Responses)) return body
  const isEmpty = (response: unknown) =>
    isJsonObject(response) && isJsonObject(response.Item) && Object.keys(response.Item).length === 0
  return { ...body, Responses: body.Responses.map((response) => (isEmpty(response) ? {} : response)) }
}

function readsNarrowIndex(request: object): boolean {
  const { TableName: name, IndexName: index } = request as { TableName?: unknown; IndexName?: unknown }
  const table = TABLES.find((each) => each.name === name)
  return table?.indexes.some((each) => each.name === index && each.projection !== 'ALL') ?? false
}

/** The number of evaluated entries is still compared. */
function scannedOnly({ ScannedCount, ConsumedCapacity }: JsonObject): JsonObject {
  return { ScannedCount, ...(ConsumedCapacity === undefined ? {} : { ConsumedCapacity }) }
}

/** The names of the returned attributes are still compared. */
function withAttributeNames(body: JsonObject): JsonObject {
  return isJsonObject(body.Attributes) ? { ...body, Attributes: Object.keys(body.Attributes) } : body
}

/** Numbers as the service writes them. */
export function withCanonicalNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withCanonicalNumbers)
  if (!isJsonObject(value)) return value
  const { N: number, NS: numbers } = value
  if (typeof number === 'string' && Object.keys(value).length === 1) return { N: canonicalNumber(number) }
  if (Array.isArray(numbers) && Object.keys(value).length === 1) {
    return canonical({ NS: numbers.map((each) => canonicalNumber(String(each))) })
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withCanonicalNumbers(member)]),
  )
}
