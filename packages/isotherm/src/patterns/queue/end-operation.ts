import { type TransactWriteItem, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { readItem, type StoredItem } from '../read-items.js'
import { refusalOf } from '../refusal.js'
import { send } from '../send.js'
import { sendTransaction } from '../send-transaction.js'
import { untilKnown } from '../until-known.js'
import type { Leased } from './claim-operation.js'
import { deadKey, dueAt, entityKey, operationKey, pendingKey, type QueueTarget } from './queue-items.js'

/** What became of an operation: it is done, with the writes of its handler, or it is dead for a reason. */
export type Ending =
  | { readonly kind: 'done'; readonly actions: readonly TransactWriteItem[] }
  | { readonly kind: 'dead'; readonly reason: string }

/** What came of ending an operation: its lease has passed to another worker, or it is ended, and another one of its entity follows or not. */
type Outcome = 'lost' | 'ended' | 'followed'

/** An operation gets its successor once; more tries are for those that come while it ends. */
const MAX_TRIES = 20

/**
 * Ends an operation, together with the writes of its handler, and makes the next operation of its entity pending.
 *
 * @throws the error of the transaction if a condition of the handler's own writes does not hold
 */
export async function endOperation(target: QueueTarget, leased: Leased, ending: Ending): Promise<Outcome> {
  const { db, options } = target
  const Key = operationKey(options, leased.id)
  let next: string | undefined
  if (leased.entity !== undefined) next = (await readItem(db, options, options.table, Key))?.next_id?.S
  for (let tries = 0; ; tries++) {
    const own = endingUpdate(target, leased, ending, next)
    const following = await followUps(target, leased, next)
    const others = [...following, ...(ending.kind === 'done' ? ending.actions : [])]
    try {
      await sendEnding(target, own, others)
      return next === undefined ? 'ended' : 'followed'
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal?.kind !== 'condition') throw error
      const item = await readItem(db, options, options.table, Key)
      // An attempt whose answer was lost ended it.
      if (item?.ended_by?.S === leased.lease) return item.next_id === undefined ? 'ended' : 'followed'
      if (item?.lease?.S !== leased.lease) return 'lost'
      // What its handler returned has conditions of its own.
      if (
        item.next_id?.S === next &&
        (!refusal.failed.some((at) => at <= following.length) || tries >= MAX_TRIES)
      )
        throw error
      next = item.next_id?.S
    }
  }
}

function sendEnding(
  { db, options }: QueueTarget,
  own: NonNullable<TransactWriteItem['Update']>,
  others: readonly TransactWriteItem[],
): Promise<unknown> {
  if (others.length === 0) return untilKnown(options, () => send(db, new UpdateItemCommand(own)))
  return untilKnown(options, () => sendTransaction(db, [{ Update: own }, ...others]))
}

function endingUpdate({ options }: QueueTarget, leased: Leased, ending: Ending, next: string | undefined) {
  const { indexKey, due, ttlAttribute, clock, doneMilliseconds } = options
  const now = clock.now()
  const isDone = ending.kind === 'done'
  const seen = next === undefined ? 'attribute_not_exists(next_id)' : 'next_id = :next'
  return {
    TableName: options.table,
    Key: operationKey(options, leased.id),
    UpdateExpression: isDone
      ? 'SET ended_at = :now, ended_by = :lease, #ttl = :expires REMOVE lease, #pending, #due'
      : 'SET ended_at = :now, ended_by = :lease, #pending = :dead, #due = :due, last_error = :reason REMOVE lease',
    // mark: operation-is-ended-under-its-lease
    ConditionExpression: `lease = :lease AND ${seen}`,
    ExpressionAttributeNames: {
      '#pending': indexKey,
      '#due': due,
      ...(isDone ? { '#ttl': ttlAttribute } : {}),
    },
    ExpressionAttributeValues: {
      ':now': { N: String(Math.floor(now)) },
      ':lease': { S: leased.lease },
      ...(next === undefined ? {} : { ':next': { S: next } }),
      ...(ending.kind === 'done'
        ? { ':expires': { N: String(Math.ceil((now + doneMilliseconds) / 1_000)) } }
        : { ':dead': deadKey(options), ':due': dueAt(options, now), ':reason': { S: ending.reason } }),
    },
  }
}

/** The next operation of the entity becomes pending; without one, the entity has no last operation any more. */
async function followUps(
  { db, options }: QueueTarget,
  { id, entity }: Leased,
  next: string | undefined,
): Promise<readonly TransactWriteItem[]> {
  if (entity === undefined) return []
  const { table: TableName, indexKey, due, clock } = options
  if (next === undefined) {
    return [
      {
        Delete: {
          TableName,
          Key: entityKey(options, entity),
          ConditionExpression: 'last_id = :id',
          ExpressionAttributeValues: { ':id': { S: id } },
        },
      },
    ]
  }
  const Key = operationKey(options, next)
  const item: StoredItem | undefined = await readItem(db, options, TableName, Key)
  const from = Math.max(clock.now(), Number(item?.not_before?.N ?? 0))
  return [
    {
      Update: {
        TableName,
        Key,
        UpdateExpression: 'SET #pending = :shard, #due = :due',
        ConditionExpression: 'attribute_exists(payload)',
        ExpressionAttributeNames: { '#pending': indexKey, '#due': due },
        ExpressionAttributeValues: { ':shard': pendingKey(options), ':due': dueAt(options, from) },
      },
    },
  ]
}
