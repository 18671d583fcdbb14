/** Items in the table. */
export const ITEMS = 100_000

/** Of an item, as DynamoDB counts them. */
export const ITEM_BYTES = 1_024

/** How many different requests of an operation are prepared. Their keys lie all over the table. */
const REQUESTS = 4_000
const LARGE_REQUESTS = 400

const TABLE = 'items'
const COLLECTIONS_TABLE = 'collections'
const COLLECTIONS = 100
const COLLECTION_ITEMS = 100
const BATCH = 25

/** A request of the API. */
export interface ApiRequest {
  readonly operation: string
  readonly input: object
}

/** One operation that all contestants are measured with. */
export interface MeasuredOperation {
  readonly name: string
  readonly operation: string
  /** How many different requests there are. */
  readonly requests: number
  input(number: number): object
  /** Whether the answer is that of a service that has the data, and did what it was asked for. */
  isAnswered(answer: object): boolean
}

/** A step through the table that visits all of its keys. */
const STRIDE = 7_919

const keyAt = (number: number) => ({
  pk: { S: `user-${String((number * STRIDE) % ITEMS).padStart(6, '0')}` },
})

const ABOUT_BYTES =
  ITEM_BYTES - 'pk'.length - 'user-000000'.length - 'name'.length - 12 - 'visits'.length - 3 - 'about'.length

export const itemAt = (number: number) => ({
  ...keyAt(number),
  name: { S: 'Ada Lovelace' },
  visits: { N: '1815' },
  about: { S: 'x'.repeat(ABOUT_BYTES) },
})

/** Of 100 bytes, so that a query of 100 is a page of 10 KB. */
const collectedItem = (collection: number, number: number) => ({
  pk: { S: `collection-${collection}` },
  sk: { S: `item-${String(number).padStart(4, '0')}` },
  text: { S: 'x'.repeat(72) },
})

const UPDATE = {
  TableName: TABLE,
  UpdateExpression: 'SET visits = visits + :one',
  ConditionExpression: 'attribute_exists(pk) AND visits < :limit',
  ExpressionAttributeValues: { ':one': { N: '1' }, ':limit': { N: '1000000000' } },
}

export const putAt = (number: number) => ({ TableName: TABLE, Item: itemAt(number) })
export const getAt = (number: number) => ({ TableName: TABLE, Key: keyAt(number) })
const count = (answer: object) => ('Count' in answer ? answer.Count : undefined)

export const MEASURED_OPERATIONS: readonly MeasuredOperation[] = [
  {
    name: 'PutItem',
    operation: 'PutItem',
    requests: REQUESTS,
    input: putAt,
    isAnswered: () => true,
  },
  {
    name: 'GetItem',
    operation: 'GetItem',
    requests: REQUESTS,
    input: getAt,
    isAnswered: (answer) => 'Item' in answer,
  },
  {
    name: 'UpdateItem with condition',
    operation: 'UpdateItem',
    requests: REQUESTS,
    input: (number) => ({ ...UPDATE, Key: keyAt(number) }),
    isAnswered: () => true,
  },
  {
    name: 'Query of 100 items of 100 bytes',
    operation: 'Query',
    requests: COLLECTIONS,
    input: (number) => ({
      TableName: COLLECTIONS_TABLE,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: `collection-${number}` } },
    }),
    isAnswered: (answer) => count(answer) === COLLECTION_ITEMS,
  },
  {
    name: 'BatchWriteItem of 25',
    operation: 'BatchWriteItem',
    requests: LARGE_REQUESTS,
    input: (number) =>
      batchOf(
        TABLE,
        Array.from({ length: BATCH }, (_, at) => itemAt(number * BATCH + at)),
      ),
    isAnswered: isTaken,
  },
  {
    name: 'TransactWriteItems of 4',
    operation: 'TransactWriteItems',
    requests: LARGE_REQUESTS,
    input: (number) => ({
      TransactItems: [
        ...[0, 1, 2].map((at) => ({ Put: putAt(number * 4 + at) })),
        { Update: { ...UPDATE, Key: keyAt(number * 4 + 3) } },
      ],
    }),
    isAnswered: () => true,
  },
  {
    name: 'Scan of 100 items of 1 KB',
    operation: 'Scan',
    requests: LARGE_REQUESTS,
    input: (number) => ({ TableName: TABLE, Limit: 100, ExclusiveStartKey: keyAt(number) }),
    isAnswered: (answer) => 'Count' in answer,
  },
]

export const TABLES = [tableNamed(TABLE, ['pk']), tableNamed(COLLECTIONS_TABLE, ['pk', 'sk'])] as const

/** All items, in batches. */
export function* fillingRequests(): Generator<ApiRequest> {
  for (let from = 0; from < ITEMS; from += BATCH) {
    yield batchRequest(
      TABLE,
      Array.from({ length: BATCH }, (_, at) => itemAt(from + at)),
    )
  }
  for (let collection = 0; collection < COLLECTIONS; collection++) {
    for (let from = 0; from < COLLECTION_ITEMS; from += BATCH) {
      yield batchRequest(
        COLLECTIONS_TABLE,
        Array.from({ length: BATCH }, (_, at) => collectedItem(collection, from + at)),
      )
    }
  }
}

/** Whether all items of a batch were written. */
function isTaken(answer: object): boolean {
  return 'UnprocessedItems' in answer && Object.keys(answer.UnprocessedItems as object).length === 0
}

function batchRequest(table: string, items: readonly object[]): ApiRequest {
  return { operation: 'BatchWriteItem', input: batchOf(table, items) }
}

function batchOf(table: string, items: readonly object[]): object {
  return { RequestItems: { [table]: items.map((Item) => ({ PutRequest: { Item } })) } }
}

function tableNamed(TableName: string, key: readonly string[]) {
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: key.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: key.map((AttributeName, at) => ({ AttributeName, KeyType: at === 0 ? 'HASH' : 'RANGE' })),
  } as const
}
