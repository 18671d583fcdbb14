import { PutItemCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { requestToken } from '../../attempts/request-token.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import { readItem } from '../read-items.js'
import { itemThatRefused, refusalOf } from '../refusal.js'
import { send } from '../send.js'
import { sendTransaction } from '../send-transaction.js'
import { untilKnown } from '../until-known.js'
import { dueAt, entityKey, operationKey, pendingKey, type QueueTarget } from './queue-items.js'

/** An operation to be stored. */
export interface NewOperation {
  readonly id: string
  /** JSON. */
  readonly payload: string
  readonly entity: string | undefined
  readonly delayMilliseconds: number
}

/** Another enqueuer, or a worker, may be faster so often. */
const MAX_TRIES = 50

/** @returns whether it is new; `false` if there is an operation with its id */
export async function enqueue(target: QueueTarget, operation: NewOperation): Promise<boolean> {
  const token = requestToken(target.options.random)
  return operation.entity === undefined
    ? putAlone(target, operation, token)
    : putInOrder(target, operation, token)
}

/** The actions that store an operation, for a transaction of the caller. */
export async function enqueueActions(
  target: QueueTarget,
  operation: NewOperation,
  token = requestToken(target.options.random),
): Promise<readonly TransactWriteItem[]> {
  const { entity } = operation
  if (entity === undefined) return [{ Put: putOf(target, operation, token, true) }]
  const { options, db } = target
  const { table: TableName } = options
  const Key = entityKey(options, entity)
  const last = (await readItem(db, options, TableName, Key))?.last_id?.S
  // It is stored, and its put is refused. A transaction cannot have two actions on one item.
  if (last === operation.id) return [{ Put: putOf(target, operation, token, true) }]
  const own = { ':id': { S: operation.id } }
  const ofEntity: TransactWriteItem = {
    Update: {
      TableName,
      Key,
      UpdateExpression: 'SET last_id = :id',
      ConditionExpression: last === undefined ? 'attribute_not_exists(last_id)' : 'last_id = :last',
      ExpressionAttributeValues: last === undefined ? own : { ...own, ':last': { S: last } },
    },
  }
  const put = {
    Put: putOf(target, operation, token, /* mark: operation-waits-for-the-one-before */ last === undefined),
  }
  if (last === undefined) return [put, ofEntity]
  // It becomes pending when the one before it ends.
  const before: TransactWriteItem = {
    Update: {
      TableName,
      Key: operationKey(options, last),
      UpdateExpression: 'SET next_id = :id',
      ConditionExpression:
        'attribute_exists(payload) AND attribute_not_exists(next_id) AND attribute_not_exists(ended_at)',
      ExpressionAttributeValues: own,
    },
  }
  return [put, ofEntity, before]
}

async function putAlone(target: QueueTarget, operation: NewOperation, token: string): Promise<boolean> {
  const { db, options } = target
  const put = {
    ...putOf(target, operation, token, true),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  }
  try {
    await untilKnown(options, () => send(db, new PutItemCommand(put)))
    return true
  } catch (error) {
    if (refusalOf(error)?.kind !== 'condition') throw error
    const item =
      itemThatRefused(error) ??
      (await readItem(db, options, options.table, operationKey(options, operation.id)))
    return item?.enqueued_by?.S === token
  }
}

/** @throws IsothermError `queue.busy` */
async function putInOrder(target: QueueTarget, operation: NewOperation, token: string): Promise<boolean> {
  const { db, options } = target
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const actions = await enqueueActions(target, operation, token)
    try {
      await untilKnown(options, () => sendTransaction(db, actions))
      return true
    } catch (error) {
      if (refusalOf(error)?.kind !== 'condition') throw error
    }
    const item = await readItem(db, options, options.table, operationKey(options, operation.id))
    if (item !== undefined) return item.enqueued_by?.S === token
  }
  const { table, name } = options
  throw new IsothermError(
    'queue.busy',
    `Other operations of the entity ${operation.entity} were enqueued or ended before each of ${MAX_TRIES} attempts to enqueue ${operation.id}. Enqueue the operations of one entity from fewer places.`,
    { table, queue: name, entity: operation.entity ?? '' },
  )
}

function putOf(
  { options }: QueueTarget,
  { id, payload, entity, delayMilliseconds }: NewOperation,
  token: string,
  isPending: boolean,
) {
  const now = Math.floor(options.clock.now())
  const due = dueAt(options, now + delayMilliseconds)
  return {
    TableName: options.table,
    Item: {
      ...operationKey(options, id),
      payload: { S: payload },
      attempts: { N: '0' },
      enqueued_at: { N: String(now) },
      enqueued_by: { S: token },
      ...(entity === undefined ? {} : { entity: { S: entity } }),
      ...(isPending ? { [options.indexKey]: pendingKey(options), [options.due]: due } : {}),
      ...(isPending || delayMilliseconds === 0 ? {} : { not_before: { N: String(now + delayMilliseconds) } }),
    },
    ConditionExpression: 'attribute_not_exists(#key)',
    ExpressionAttributeNames: { '#key': options.partitionKey },
  }
}
