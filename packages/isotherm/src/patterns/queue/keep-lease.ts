import { UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { refusalOf } from '../refusal.js'
import { send } from '../send.js'
import { untilKnown } from '../until-known.js'
import type { Leased } from './claim-operation.js'
import { dueAt, operationKey, type QueueTarget } from './queue-items.js'

/** Beats in the time of a lease: two may be lost. */
const BEATS = 3

/** Extends the lease until the signal aborts. @returns when the lease is lost, or there is nothing to extend any more */
export async function keepLease(target: QueueTarget, leased: Leased, signal: AbortSignal): Promise<void> {
  const { clock, leaseMilliseconds } = target.options
  for (;;) {
    try {
      await clock.sleep(leaseMilliseconds / BEATS, signal)
    } catch {
      return
    }
    if (!(await extend(target, leased)) || signal.aborted) return
  }
}

/** @returns `false` if another worker has it, or it has ended. Other failures are left to the next beat. */
async function extend(target: QueueTarget, leased: Leased): Promise<boolean> {
  const { clock, leaseMilliseconds } = target.options
  try {
    await changeLeased(target, leased, {
      set: '#due = :due',
      dueMilliseconds: clock.now() + leaseMilliseconds,
    })
    return true
  } catch (error) {
    return refusalOf(error)?.kind !== 'condition'
  }
}

/** How an operation that goes back to the queue is changed. */
export interface LeasedChange {
  /** Of the update expression, besides other clauses. */
  readonly set: string
  readonly dueMilliseconds: number
  readonly error?: string
  readonly more?: string
}

/** Changes an operation that this worker has. @throws a condition that does not hold if it has not */
export async function changeLeased(
  { db, options }: QueueTarget,
  { id, lease }: Leased,
  { set, dueMilliseconds, error, more = '' }: LeasedChange,
): Promise<void> {
  const input = {
    TableName: options.table,
    Key: operationKey(options, id),
    UpdateExpression: `SET ${set} ${more}`,
    ConditionExpression: 'lease = :lease',
    ExpressionAttributeNames: { '#due': options.due },
    ExpressionAttributeValues: {
      ':lease': { S: lease },
      ':due': dueAt(options, dueMilliseconds),
      ...(error === undefined ? {} : { ':error': { S: error } }),
      ...(more.includes(':less') ? { ':less': { N: '-1' } } : {}),
    },
  }
  await untilKnown(options, () => send(db, new UpdateItemCommand(input)))
}
