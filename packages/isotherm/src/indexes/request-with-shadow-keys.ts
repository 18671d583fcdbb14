import type {
  AttributeValue,
  BatchWriteItemCommandInput,
  PutItemCommandInput,
  TransactWriteItem,
  TransactWriteItemsCommandInput,
  UpdateItemCommandInput,
  WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { refuseLegacy, refuseParameter } from '../errors/refuse.js'
import { type Expressions, mentions } from '../sdk/placeholders.js'
import { inServiceWords } from '../sdk/validation-exception.js'
import type { IndexedTable, IndexedTables, WrittenItem } from './indexed-table.js'
import type { ShardChoice } from './shard-choice.js'
import { updateWithShadowKeys } from './update-with-shadow-keys.js'

type Input = Readonly<Record<string, unknown>>
type Extend = (tables: IndexedTables, input: never, choice: ShardChoice) => object

const EXTENDED: Readonly<Record<string, Extend>> = {
  PutItem: (tables, input: PutItemCommandInput, choice) =>
    extended(tables.of(input.TableName), input, (table) => put(table, 'PutItem', input, choice)),
  UpdateItem: (tables, input: UpdateItemCommandInput, choice) =>
    extended(tables.of(input.TableName), input, (table) => update(table, 'UpdateItem', input, choice)),
  BatchWriteItem: (tables, input: BatchWriteItemCommandInput, choice) => ({
    ...input,
    RequestItems: Object.fromEntries(
      Object.entries(input.RequestItems ?? {}).map(([name, requests]) => [
        name,
        extended(tables.of(name), requests, (table) =>
          requests.map((each) => batchMember(table, each, choice)),
        ),
      ]),
    ),
  }),
  TransactWriteItems: (tables, input: TransactWriteItemsCommandInput, choice) => ({
    ...input,
    TransactItems: input.TransactItems?.map((member) => transactMember(tables, member, choice)),
  }),
}

/**
 * Adds shadow keys to a request, as if the application maintained them itself. This happens before all other
 * processing, so that it covers every kind of write, to sharded and unsharded tables.
 *
 * @throws IsothermError `command.parameter-unsupported`; a `ValidationException` with the service's text
 */
export function requestWithShadowKeys(
  tables: IndexedTables,
  operation: string,
  input: Input,
  choice: ShardChoice,
): Input {
  const extend = EXTENDED[operation]
  return extend === undefined ? input : inServiceWords(() => extend(tables, input as never, choice) as Input)
}

function extended<Part>(
  table: IndexedTable | undefined,
  part: Part,
  extend: (table: IndexedTable) => Part,
): Part {
  return table === undefined ? part : extend(table)
}

type Put = Pick<PutItemCommandInput, 'Item'>

function put<Given extends Put>(
  table: IndexedTable,
  operation: string,
  given: Given,
  choice: ShardChoice,
): Given {
  refuseShadowKeys(table, operation, given)
  return given.Item === undefined ? given : { ...given, Item: itemWithShadowKeys(table, given.Item, choice) }
}

function update<Given extends Pick<UpdateItemCommandInput, 'Key' | 'UpdateExpression'>>(
  table: IndexedTable,
  operation: string,
  given: Given,
  choice: ShardChoice,
): Given {
  refuseShadowKeys(table, operation, given)
  return updateWithShadowKeys(table, given, choice)
}

function batchMember(
  table: IndexedTable,
  { PutRequest, ...others }: WriteRequest,
  choice: ShardChoice,
): WriteRequest {
  if (PutRequest === undefined) return others
  // mark: batch-writes-index-keys
  return { ...others, PutRequest: put(table, 'BatchWriteItem', PutRequest, choice) }
}

function transactMember(
  tables: IndexedTables,
  member: TransactWriteItem,
  choice: ShardChoice,
): TransactWriteItem {
  const operation = 'TransactWriteItems'
  const { Put: given, Update: changed } = member
  return {
    ...member,
    ...(given === undefined
      ? {}
      : {
          Put: extended(tables.of(given.TableName), given, (table) => put(table, operation, given, choice)),
        }),
    ...(changed === undefined
      ? {}
      : {
          // mark: transaction-writes-index-keys
          Update: extended(tables.of(changed.TableName), changed, (table) =>
            update(table, operation, changed, choice),
          ),
        }),
  }
}

/**
 * Adds the shadow keys of the indexes that contain the item. An item without an index's attribute is not in that index.
 */
function itemWithShadowKeys(
  table: IndexedTable,
  item: Record<string, AttributeValue>,
  choice: ShardChoice,
): Record<string, AttributeValue> {
  const place = table.placeOf(item)
  if (place === undefined) return item
  const written: WrittenItem = { place, operation: 'put', attributes: item, choice }
  const added = table.shadows.flatMap((shadow) => {
    const { partitionKey } = shadow.index
    // An attribute can have the name of a property that every object has, such as `constructor`.
    const value = Object.hasOwn(item, partitionKey) ? item[partitionKey] : undefined
    if (value === undefined) {
      table.compareBeside(shadow, choice)
      return []
    }
    return [[shadow.index.shard.attribute, table.addedByWrite(shadow, value, written)] as const]
  })
  return added.length === 0 ? item : { ...item, ...Object.fromEntries(added) }
}

/** A write in any command. */
interface Write extends Expressions {
  readonly Item?: object | undefined
  readonly AttributeUpdates?: object | undefined
}

/**
 * Rejects requests that write or query shadow keys, which belong to the library.
 * @throws IsothermError `command.parameter-unsupported`
 */
function refuseShadowKeys(table: IndexedTable, operation: string, write: Write): void {
  const { name } = table.options
  refuseLegacy(name, operation, write, { AttributeUpdates: 'Update' })
  const texts = `${write.ConditionExpression ?? ''} ${write.UpdateExpression ?? ''}`
  for (const { index } of table.shadows) {
    const { attribute } = index.shard
    const isNamed =
      Object.hasOwn(write.Item ?? {}, attribute) || mentions(texts, write.ExpressionAttributeNames, attribute)
    if (!isNamed) continue
    const cure = `The library keeps it for the index ${index.name}. Give yours another name, or name another one in the index's options.`
    throw refuseParameter(name, operation, `the attribute ${attribute}`, cure)
  }
}
