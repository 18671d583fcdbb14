import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  ExecuteStatementCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { randomInteger, type SeededRandom } from '@isotherm/runtime'

/** The tables that receive the load. */
export const TABLES = ['on-demand', 'provisioned'] as const

type Command =
  | BatchGetItemCommand
  | BatchWriteItemCommand
  | DeleteItemCommand
  | ExecuteStatementCommand
  | GetItemCommand
  | PutItemCommand
  | QueryCommand
  | ScanCommand
  | TransactGetItemsCommand
  | TransactWriteItemsCommand
  | UpdateItemCommand

/** A request of any kind for a few items of these tables, mostly for one hot key. */
export function drawCommand(random: SeededRandom, now: number): Command {
  const draw = (upTo: number) => randomInteger(random, 0, upTo)
  const TableName = TABLES[draw(1)] ?? 'on-demand'
  const key = () => ({ id: { S: draw(3) > 0 ? 'hot' : `id-${draw(9)}` }, at: { S: String(draw(400)) } })
  const item = () => ({
    ...key(),
    kind: { S: draw(1) === 0 ? 'new' : 'old' },
    text: { S: 'x'.repeat(draw(6_000)) },
    ...(draw(3) === 0 ? { expires: { N: String(Math.floor(now / 1000) + draw(4)) } } : {}),
  })
  const writes = () => Array.from({ length: 1 + draw(8) }, () => ({ PutRequest: { Item: item() } }))
  const ReturnConsumedCapacity = 'INDEXES'
  switch (draw(12)) {
    case 0:
      return new GetItemCommand({ TableName, Key: key(), ReturnConsumedCapacity })
    case 1:
      return new QueryCommand({
        TableName,
        KeyConditionExpression: 'id = :id',
        ExpressionAttributeValues: { ':id': { S: 'hot' } },
        ReturnConsumedCapacity,
        Limit: 20,
      })
    case 2:
      return new QueryCommand({
        TableName,
        IndexName: 'by_kind',
        KeyConditionExpression: 'kind = :kind',
        ExpressionAttributeValues: { ':kind': { S: 'new' } },
        Limit: 20,
      })
    case 3:
      return new ScanCommand({ TableName, Limit: 30, ReturnConsumedCapacity })
    case 4:
      return new BatchGetItemCommand({
        RequestItems: { [TableName]: { Keys: [{ ...key(), id: { S: 'a' } }, key()] } },
      })
    case 5:
      return new BatchWriteItemCommand({ RequestItems: { [TableName]: distinct(writes()) } })
    case 6:
      return new TransactWriteItemsCommand({
        TransactItems: [
          { Put: { TableName, Item: { ...item(), id: { S: 'shared' }, at: { S: String(draw(2)) } } } },
          { Put: { TableName: 'on-demand', Item: { ...item(), id: { S: 'other' } } } },
        ],
      })
    case 7:
      return new TransactGetItemsCommand({
        TransactItems: [{ Get: { TableName, Key: { id: { S: 'shared' }, at: { S: '0' } } } }],
      })
    case 8:
      return new UpdateItemCommand({
        TableName,
        Key: { id: { S: 'shared' }, at: { S: String(draw(2)) } },
        UpdateExpression: 'ADD amount :one',
        ConditionExpression: 'attribute_not_exists(amount) OR amount < :most',
        ExpressionAttributeValues: { ':one': { N: '1' }, ':most': { N: '2' } },
      })
    case 9:
      return new DeleteItemCommand({ TableName, Key: key(), ReturnValues: 'ALL_OLD' })
    case 10:
      return new ExecuteStatementCommand({
        Statement: `SELECT * FROM "${TableName}" WHERE id = 'hot'`,
        Limit: 5,
      })
    default:
      return new PutItemCommand({ TableName, Item: item(), ReturnConsumedCapacity })
  }
}

/** A batch with two members for the same item is rejected as a whole. */
function distinct<T extends { readonly PutRequest: { readonly Item: object } }>(writes: readonly T[]): T[] {
  const keyOf = ({ PutRequest: { Item } }: T) => JSON.stringify({ ...Item, kind: 0, text: 0, expires: 0 })
  return [...new Map(writes.map((write) => [keyOf(write), write])).values()]
}
