import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { PutCommand, QueryCommand as QueryDocumentsCommand } from '@aws-sdk/lib-dynamodb'
import { itemAt } from './canned-answer.js'

/** One call of an application, whose cost is compared with and without the library. */
export interface ComparedCall {
  readonly name: string
  readonly suffix: 'random' | 'calculated'
  readonly shards: number
  /** Whether the call is one of a document client. */
  readonly isDocument?: true
  /** The calls without the library that do the same work, sent at the same time. One unless said. */
  readonly plainCalls?: number
  /** The promises that the library may add to those of the plain calls. */
  readonly promises: number
  /** @param number of the call, so that each call has another item */
  command(table: string, number: number): object
}

const KEYS = 100
const BATCH = 25

const itemOf = (number: number) => itemAt(`/files/${number % KEYS}`, number)

function keyOf(number: number) {
  const { path, at } = itemOf(number)
  return { path, at }
}

const put: ComparedCall['command'] = (TableName, number) =>
  new PutItemCommand({ TableName, Item: itemOf(number) })

const get: ComparedCall['command'] = (TableName, number) =>
  new GetItemCommand({ TableName, Key: keyOf(number) })

const remove: ComparedCall['command'] = (TableName, number) =>
  new DeleteItemCommand({ TableName, Key: keyOf(number) })

const update: ComparedCall['command'] = (TableName, number) =>
  new UpdateItemCommand({
    TableName,
    Key: keyOf(number),
    UpdateExpression: 'SET #status = :status, bytes = :bytes',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':status': { N: '304' }, ':bytes': { N: String(number) } },
  })

const putBatch: ComparedCall['command'] = (TableName, number) =>
  new BatchWriteItemCommand({
    RequestItems: {
      [TableName]: Array.from({ length: BATCH }, (_, at) => ({
        PutRequest: { Item: itemOf(BATCH * number + at) },
      })),
    },
  })

/** A query that gets this many items from each shard. */
const queryOf =
  (itemsPerShard: number): ComparedCall['command'] =>
  (TableName) =>
    new QueryCommand({
      TableName,
      KeyConditionExpression: '#path = :path AND #at >= :from',
      ExpressionAttributeNames: { '#path': 'path', '#at': 'at' },
      ExpressionAttributeValues: { ':path': { S: `items-${itemsPerShard}` }, ':from': { N: '0' } },
    })

const putDocument: ComparedCall['command'] = (TableName, number) => {
  const { path, at, bytes, status, cached, ...texts } = itemOf(number)
  const Item = {
    path: path.S,
    at: Number(at.N),
    bytes: Number(bytes.N),
    status: Number(status.N),
    cached: cached.BOOL,
    ...Object.fromEntries(Object.entries(texts).map(([name, { S }]) => [name, S])),
  }
  return new PutCommand({ TableName, Item })
}

const queryDocuments: ComparedCall['command'] = (TableName) =>
  new QueryDocumentsCommand({
    TableName,
    KeyConditionExpression: '#path = :path AND #at >= :from',
    ExpressionAttributeNames: { '#path': 'path', '#at': 'at' },
    ExpressionAttributeValues: { ':path': 'items-20', ':from': 0 },
  })

const RANDOM = { suffix: 'random', shards: 8 } as const
const CALCULATED = { suffix: 'calculated', shards: 8 } as const

/** Keys are settled: their count is cached and nothing moves. */
export const COMPARED_CALLS: readonly ComparedCall[] = [
  { name: 'put', ...RANDOM, promises: 4, command: put },
  { name: 'put', ...CALCULATED, promises: 7, command: put },
  { name: 'update', ...CALCULATED, promises: 7, command: update },
  { name: 'get', ...CALCULATED, promises: 8, command: get },
  { name: 'delete', ...CALCULATED, promises: 7, command: remove },
  { name: 'batch of 25 puts', ...RANDOM, promises: 125, command: putBatch },
  { name: 'query of 20 items', suffix: 'random', shards: 1, promises: 32, command: queryOf(20) },
  { name: 'query of 8 × 3 items', ...RANDOM, plainCalls: 8, promises: 140, command: queryOf(3) },
  { name: 'put of a document', ...RANDOM, isDocument: true, promises: 15, command: putDocument },
  {
    name: 'query of 20 documents',
    suffix: 'random',
    shards: 1,
    isDocument: true,
    promises: 42,
    command: queryDocuments,
  },
]
