import {
  type AttributeValue,
  applyUpdate,
  assertAllUsed,
  bindCondition,
  bindKeyCondition,
  bindProjection,
  bindUpdate,
  compareKeyValues,
  type Item,
  itemBytes,
  type KeyValue,
  MAX_PAGE_BYTES,
  matches,
  Placeholders,
  parseCondition,
  parseProjection,
  parseUpdate,
  project,
  readUnits,
} from '@isotherm/semantics'

/** An error with the service's text. */
export class Refusal extends Error {
  readonly type: string
  readonly details: object
  constructor(type: string, message: string, details: object = {}) {
    super(message)
    this.type = type
    this.details = details
  }
}

export interface TableSchema {
  readonly partitionKey: string
  readonly sortKey?: string
  readonly writeUnits?: number
  /** Default `ACTIVE`. */
  readonly status?: 'DELETING'
}

// biome-ignore lint/suspicious/noExplicitAny: a fake of the wire, where a request is whatever JSON came
type Request = any

interface Table {
  schema: TableSchema
  /** The items by partition key, ordered by sort key. */
  readonly partitions: Map<string, Item[]>
}

/** Physical tables in memory, with DynamoDB's rules for the few operations that the library sends. */
export class FakeTables {
  readonly #tables = new Map<string, Table>()
  /** Every request, for assertions. */
  readonly requests: { readonly operation: string; readonly input: Request }[] = []
  /** The read units of all queries. */
  queriedUnits = 0
  pageBytes = MAX_PAGE_BYTES
  /** Whether responses contain their consumed capacity, which some engines omit. */
  reportsCapacity = true
  /** Called before each attempt to write. It can throw the error of a failed attempt. */
  beforeWrite: (table: string, item: Item) => void = () => {}
  /** Called before each query is executed. It can make concurrent changes, or throw the query's error. */
  beforeQuery: (input: Request) => void = () => {}

  create(name: string, schema: TableSchema): this {
    this.#tables.set(name, { schema, partitions: new Map() })
    return this
  }

  drop(name: string): void {
    this.#tables.delete(name)
  }

  items(name: string): readonly Item[] {
    return [...this.#table(name).partitions.values()].flat()
  }

  /** Removes an item without a request. */
  remove(name: string, key: Item): void {
    const { items, place, isThere } = this.#place(this.#table(name), key)
    if (isThere) items.splice(place, 1)
  }

  execute(operation: string, input: Request): object {
    this.requests.push({ operation, input })
    if (operation === 'PutItem') return this.#put(input)
    if (operation === 'GetItem') return this.#get(input)
    if (operation === 'UpdateItem') return this.#update(input)
    if (operation === 'DeleteItem') return this.#delete(input)
    if (operation === 'TransactWriteItems') return this.#transact(input)
    if (operation === 'Query') return this.#query(input)
    if (operation === 'Scan') return this.#scan(input)
    if (operation === 'DescribeTable') return this.#describe(input)
    if (operation === 'CreateTable') return this.#createTable(input)
    if (operation === 'UpdateTable') return this.#updateTable(input)
    throw new Refusal('UnknownOperationException', operation)
  }

  #table(name: string): Table {
    const table = this.#tables.get(name)
    if (table === undefined) throw new Refusal('ResourceNotFoundException', 'Requested resource not found')
    return table
  }

  #put({ TableName, Item: item, ...rest }: Request): object {
    const table = this.#table(TableName)
    this.beforeWrite(TableName, item)
    this.#requireCondition(rest, this.#find(table, item))
    this.#store(table, item)
    return {}
  }

  #get({ TableName, Key }: Request): object {
    const item = this.#find(this.#table(TableName), Key)
    return item === undefined ? {} : { Item: structuredClone(item) }
  }

  #update({ TableName, Key, UpdateExpression, ...rest }: Request): object {
    const table = this.#table(TableName)
    const before = this.#find(table, Key)
    this.#requireCondition(rest, before)
    const placeholders = new Placeholders(rest.ExpressionAttributeNames, rest.ExpressionAttributeValues)
    const after = applyUpdate(bindUpdate(parseUpdate(UpdateExpression), placeholders), before ?? Key)
    this.#store(table, after)
    return rest.ReturnValues === 'ALL_NEW' ? { Attributes: structuredClone(after) } : {}
  }

  #delete({ TableName, Key, ...rest }: Request): object {
    this.#requireCondition(rest, this.#find(this.#table(TableName), Key))
    this.remove(TableName, Key)
    return {}
  }

  /** Of puts and deletions. */
  #transact({ TransactItems }: Request): object {
    const found = ({ Put, Delete }: Request) => {
      const { TableName } = Put ?? Delete
      return this.#find(this.#table(TableName), Put?.Item ?? Delete.Key)
    }
    const codes = TransactItems.map((action: Request) =>
      this.#meetsCondition(action.Put ?? action.Delete, found(action)) ? 'None' : 'ConditionalCheckFailed',
    )
    if (codes.some((code: string) => code !== 'None')) {
      const CancellationReasons = codes.map((Code: string) => ({ Code }))
      throw new Refusal('TransactionCanceledException', 'Transaction cancelled', { CancellationReasons })
    }
    for (const { Put, Delete } of TransactItems) {
      if (Put === undefined) this.remove(Delete.TableName, Delete.Key)
      else this.#store(this.#table(Put.TableName), Put.Item)
    }
    return {}
  }

  #query(input: Request): object {
    this.beforeQuery(input)
    const { schema, partitions } = this.#table(input.TableName)
    const { ExpressionAttributeNames, ExpressionAttributeValues, FilterExpression, ProjectionExpression } =
      input
    const placeholders = new Placeholders(ExpressionAttributeNames, ExpressionAttributeValues)
    const keys = bindKeyCondition(
      parseCondition('KeyConditionExpression', input.KeyConditionExpression),
      placeholders,
      {
        hash: [{ name: schema.partitionKey }],
        range: schema.sortKey === undefined ? [] : [{ name: schema.sortKey }],
      },
    )
    const filter =
      FilterExpression === undefined
        ? undefined
        : bindCondition(
            'FilterExpression',
            parseCondition('FilterExpression', FilterExpression),
            placeholders,
          )
    const projection =
      ProjectionExpression === undefined
        ? undefined
        : bindProjection(parseProjection(ProjectionExpression), placeholders)
    assertAllUsed(placeholders)
    const [partition] = keys.partition
    const [condition] = keys.sort
    const sortOf = (item: Item) => item[schema.sortKey ?? schema.partitionKey] as KeyValue
    let candidates = [...(partitions.get(nameOf(partition)) ?? [])]
    if (input.ScanIndexForward === false) candidates.reverse()
    if (condition !== undefined) candidates = candidates.filter((item) => satisfies(sortOf(item), condition))
    const start = input.ExclusiveStartKey
    if (start !== undefined) {
      if (nameOf(start[schema.partitionKey]) !== nameOf(partition)) {
        throw new Refusal('ValidationException', 'The provided starting key is invalid')
      }
      if (condition !== undefined && !satisfies(sortOf(start), condition)) {
        throw new Refusal('ValidationException', 'The provided starting key is outside query boundaries')
      }
      const after = (item: Item) =>
        (input.ScanIndexForward === false ? -1 : 1) * (compareKeyValues(sortOf(item), sortOf(start)) ?? 0) > 0
      candidates = candidates.filter(after)
    }
    const evaluated: Item[] = []
    let bytes = 0
    let last: Item | undefined
    for (const item of candidates) {
      evaluated.push(item)
      bytes += itemBytes(item)
      if (evaluated.length === input.Limit || bytes >= this.pageBytes) {
        last = item
        break
      }
    }
    const found = filter === undefined ? evaluated : evaluated.filter((item) => matches(filter, item))
    const units = readUnits(bytes, input.ConsistentRead ? 'strong' : 'eventual')
    this.queriedUnits += units
    return {
      Count: found.length,
      ScannedCount: evaluated.length,
      ...(input.Select === 'COUNT'
        ? {}
        : { Items: found.map((item) => (projection ? project(projection, item) : structuredClone(item))) }),
      ...(last === undefined ? {} : { LastEvaluatedKey: keyOf(schema, last) }),
      ...(input.ReturnConsumedCapacity && this.reportsCapacity
        ? { ConsumedCapacity: { TableName: input.TableName, CapacityUnits: units } }
        : {}),
    }
  }

  #scan({ TableName, Limit, FilterExpression, ...rest }: Request): object {
    this.#table(TableName)
    const placeholders = new Placeholders(rest.ExpressionAttributeNames, rest.ExpressionAttributeValues)
    const filter =
      FilterExpression === undefined
        ? undefined
        : bindCondition(
            'FilterExpression',
            parseCondition('FilterExpression', FilterExpression),
            placeholders,
          )
    const Items = this.items(TableName)
      .slice(0, Limit)
      .filter((item) => filter === undefined || matches(filter, item))
    return { Items: structuredClone(Items), Count: Items.length }
  }

  #describe({ TableName }: Request): object {
    const { schema } = this.#table(TableName)
    const keys = [schema.partitionKey, ...(schema.sortKey === undefined ? [] : [schema.sortKey])]
    return {
      Table: {
        TableName,
        TableStatus: schema.status ?? 'ACTIVE',
        KeySchema: keys.map((AttributeName, index) => ({
          AttributeName,
          KeyType: index === 0 ? 'HASH' : 'RANGE',
        })),
        AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        BillingModeSummary: {
          BillingMode: schema.writeUnits === undefined ? 'PAY_PER_REQUEST' : 'PROVISIONED',
        },
        ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: schema.writeUnits ?? 0 },
      },
    }
  }

  #createTable({ TableName, KeySchema }: Request): object {
    if (this.#tables.has(TableName)) throw new Refusal('ResourceInUseException', 'Table already exists')
    this.create(TableName, { partitionKey: KeySchema[0].AttributeName })
    return {}
  }

  #updateTable({ TableName, ProvisionedThroughput }: Request): object {
    const table = this.#table(TableName)
    table.schema = { ...table.schema, writeUnits: ProvisionedThroughput.WriteCapacityUnits }
    return {}
  }

  #requireCondition(request: Request, item: Item | undefined): void {
    if (this.#meetsCondition(request, item)) return
    throw new Refusal('ConditionalCheckFailedException', 'The conditional request failed')
  }

  #meetsCondition(request: Request, item: Item | undefined): boolean {
    if (request.ConditionExpression === undefined) return true
    const placeholders = new Placeholders(request.ExpressionAttributeNames, request.ExpressionAttributeValues)
    const ast = parseCondition('ConditionExpression', request.ConditionExpression)
    return matches(bindCondition('ConditionExpression', ast, placeholders), item)
  }

  #find(table: Table, key: Item): Item | undefined {
    const { items, place, isThere } = this.#place(table, key)
    return isThere ? items[place] : undefined
  }

  #store(table: Table, item: Item): void {
    const { items, place, isThere } = this.#place(table, item)
    items.splice(place, isThere ? 1 : 0, structuredClone(item))
  }

  /** The position in its partition where an item is or would be. */
  #place({ schema: { partitionKey, sortKey }, partitions }: Table, key: Item) {
    const name = nameOf(key[partitionKey])
    const items = partitions.get(name) ?? []
    partitions.set(name, items)
    const order = (item: Item | undefined) =>
      sortKey === undefined
        ? 0
        : (compareKeyValues(item?.[sortKey] as KeyValue, key[sortKey] as KeyValue) ?? 0)
    let low = 0
    let high = items.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (order(items[middle]) < 0) low = middle + 1
      else high = middle
    }
    return { items, place: low, isThere: low < items.length && order(items[low]) === 0 }
  }
}

function keyOf({ partitionKey, sortKey }: TableSchema, item: Item): object {
  const key = { [partitionKey]: item[partitionKey] }
  return sortKey === undefined ? key : { ...key, [sortKey]: item[sortKey] }
}

function nameOf(value: AttributeValue | undefined): string {
  return JSON.stringify(value, (_name, member) =>
    member instanceof Uint8Array ? Buffer.from(member).toString('base64') : member,
  )
}

/** An independent, naive implementation, against which the library's ranges are tested. */
function satisfies(value: KeyValue, condition: ReturnType<typeof bindKeyCondition>['sort'][number]): boolean {
  const against = (other: KeyValue) => compareKeyValues(value, other) ?? Number.NaN
  if (condition.operator === 'between') return against(condition.from) >= 0 && against(condition.to) <= 0
  if (condition.operator === 'begins_with') {
    const { prefix } = condition
    if ('S' in value && 'S' in prefix) return value.S.startsWith(prefix.S)
    return 'B' in value && 'B' in prefix && Buffer.from(value.B).indexOf(prefix.B) === 0
  }
  const order = against(condition.value)
  if (condition.operator === '=') return order === 0
  if (condition.operator === '<') return order < 0
  if (condition.operator === '<=') return order <= 0
  return condition.operator === '>' ? order > 0 : order >= 0
}
