import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import type { Process } from '../world/process.js'
import type { Attributes } from './item-operations.js'

/** What an item has of an index's key: `undefined` for an attribute that is not there. */
export interface IndexedState {
  readonly status: string | undefined
  readonly at: number | undefined
}

/** A write of one item, and what it makes of what the index knows of it. */
export interface IndexedWrite {
  readonly key: Attributes
  after(before: IndexedState | undefined): IndexedState | undefined
  readonly request:
    | { readonly kind: 'put'; readonly Item: Attributes }
    | { readonly kind: 'delete' }
    | { readonly kind: 'update'; readonly UpdateExpression: string; readonly values: Attributes | undefined }
}

export const STATUSES = ['open', 'late', 'done'] as const

/** Few, so that many items have the same. */
const TIMES = 4

const NOTHING: IndexedState = { status: undefined, at: undefined }

export function drawnWrite({ random }: Process, key: Attributes): IndexedWrite {
  const status = STATUSES[randomInteger(random, 0, STATUSES.length - 1)] ?? 'open'
  const at = randomInteger(random, 1, TIMES)
  const [own, time] = [{ S: status }, { N: String(at) }]
  const draw = random.next()
  if (draw < 0.3) {
    const Item = { ...key, status: own, changed_at: time }
    return { key, after: () => ({ status, at }), request: { kind: 'put', Item } }
  }
  if (draw < 0.4) {
    const Item = { ...key, changed_at: time }
    return { key, after: () => ({ status: undefined, at }), request: { kind: 'put', Item } }
  }
  if (draw < 0.5) return { key, after: () => NOTHING, request: { kind: 'delete' } }
  const values = { ':status': own, ':at': time }
  const update = (
    UpdateExpression: string,
    values: Attributes | undefined,
    after: (before: IndexedState | undefined) => IndexedState | undefined,
  ): IndexedWrite => ({ key, after, request: { kind: 'update', UpdateExpression, values } })
  if (draw < 0.7) return update('SET #status = :status, changed_at = :at', values, () => ({ status, at }))
  if (draw < 0.8) {
    const text = 'SET #status = if_not_exists(#status, :status), changed_at = :at'
    return update(text, values, (before) => before && { status: before.status ?? status, at })
  }
  if (draw < 0.9) {
    return update('REMOVE #status', undefined, (before) => before && { ...before, status: undefined })
  }
  return update('REMOVE changed_at, #status', undefined, () => NOTHING)
}

/** Sends the writes: one by itself, several together. @returns those that were not carried out */
export async function sendWrites(
  db: DynamoDBClient,
  table: string,
  writes: readonly IndexedWrite[],
  isTransaction: boolean,
): Promise<readonly IndexedWrite[]> {
  const [first] = writes
  if (first === undefined) return []
  if (isTransaction) {
    const TransactItems = writes.map((write) => transactMember(table, write))
    await db.send(new TransactWriteItemsCommand({ TransactItems }))
    return []
  }
  if (writes.length === 1) {
    await sendOne(db, table, first)
    return []
  }
  const output = await db.send(
    new BatchWriteItemCommand({ RequestItems: { [table]: writes.map(batchMember) } }),
  )
  const left = new Set(
    output.UnprocessedItems?.[table]?.map(({ PutRequest, DeleteRequest }) =>
      nameOfKey(PutRequest?.Item ?? DeleteRequest?.Key),
    ),
  )
  return writes.filter(({ key }) => left.has(nameOfKey(key)))
}

/** Whether a batch can carry it. */
export function isBatchable({ request }: IndexedWrite): boolean {
  return request.kind !== 'update'
}

async function sendOne(db: DynamoDBClient, TableName: string, { key: Key, request }: IndexedWrite) {
  if (request.kind === 'put') await db.send(new PutItemCommand({ TableName, Item: request.Item }))
  else if (request.kind === 'delete') await db.send(new DeleteItemCommand({ TableName, Key }))
  else await db.send(new UpdateItemCommand({ TableName, Key, ...expressionsOf(request) }))
}

function transactMember(TableName: string, { key: Key, request }: IndexedWrite) {
  if (request.kind === 'put') return { Put: { TableName, Item: request.Item } }
  if (request.kind === 'delete') return { Delete: { TableName, Key } }
  return { Update: { TableName, Key, ...expressionsOf(request) } }
}

function batchMember({ key, request }: IndexedWrite) {
  return request.kind === 'put' ? { PutRequest: { Item: request.Item } } : { DeleteRequest: { Key: key } }
}

function expressionsOf({
  UpdateExpression,
  values,
}: Extract<IndexedWrite['request'], { readonly kind: 'update' }>) {
  return {
    UpdateExpression,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: values,
  }
}

function nameOfKey(key: Attributes | undefined): string {
  return `${key?.folder?.S} ${key?.file?.S}`
}
