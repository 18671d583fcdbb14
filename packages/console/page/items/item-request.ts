import type { KeyElement, TableDescription } from './dynamodb'

/** What is asked for: all items, or those of one partition key. */
export interface ItemQuery {
  readonly table: string
  /** Empty for the table itself. */
  readonly index: string
  /** The partition key, or empty to scan. */
  readonly partition: string
  /** What the sort key begins with, or equals if it is a number. Empty: any. */
  readonly sort: string
  /** A text that some attribute contains, or empty. */
  readonly attribute: string
  readonly contains: string
  readonly isDescending: boolean
}

/** Items on a page. */
const PAGE_ITEMS = 50

/** The key schema of the table or of one of its indexes. */
export function keySchemaOf(described: TableDescription, index: string): readonly KeyElement[] {
  const indexes = [...(described.GlobalSecondaryIndexes ?? []), ...(described.LocalSecondaryIndexes ?? [])]
  return indexes.find(({ IndexName }) => IndexName === index)?.KeySchema ?? described.KeySchema
}

/** The operation and its input, without the page's start. */
export function itemRequest(
  described: TableDescription,
  query: ItemQuery,
): { operation: 'Query' | 'Scan'; input: object } {
  const names: Record<string, string> = {}
  const values: Record<string, object> = {}
  const input: Record<string, unknown> = {
    TableName: query.table,
    Limit: PAGE_ITEMS,
    ReturnConsumedCapacity: 'TOTAL',
  }
  if (query.index !== '') input.IndexName = query.index
  const [hash, range] = keySchemaOf(described, query.index)
  const typeOf = (name: string) =>
    described.AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType ?? 'S'
  if (query.contains !== '' && query.attribute !== '') {
    names['#a'] = query.attribute
    values[':a'] = { S: query.contains }
    input.FilterExpression = 'contains(#a, :a)'
  }
  const isQuery = query.partition !== '' && hash !== undefined
  if (isQuery) {
    names['#p'] = hash.AttributeName
    values[':p'] = { [typeOf(hash.AttributeName)]: query.partition }
    let condition = '#p = :p'
    if (query.sort !== '' && range !== undefined) {
      const type = typeOf(range.AttributeName)
      names['#s'] = range.AttributeName
      values[':s'] = { [type]: query.sort }
      condition += type === 'N' ? ' AND #s = :s' : ' AND begins_with(#s, :s)'
    }
    input.KeyConditionExpression = condition
    input.ScanIndexForward = !query.isDescending
  }
  if (Object.keys(names).length > 0) {
    input.ExpressionAttributeNames = names
    input.ExpressionAttributeValues = values
  }
  return { operation: isQuery ? 'Query' : 'Scan', input }
}
