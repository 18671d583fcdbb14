import { QueryCommand, type QueryCommandOutput, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { requestToken } from '../../attempts/request-token.js'
import { concurrently } from '../../bounded/concurrently.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import { indexShard, shardsFromAnywhere } from '../index-shards.js'
import { readItems, type StoredItem } from '../read-items.js'
import { itemThatRefused, refusalOf } from '../refusal.js'
import { send } from '../send.js'
import { untilKnown } from '../until-known.js'
import { untilTaken } from '../until-taken.js'
import { deadKey, dueAt, dueBefore, idOf, operationKey, pendingKey, type QueueTarget } from './queue-items.js'

/** How full a queue is. */
export interface QueueStats {
  /** Operations that are due, and no worker has. */
  readonly due: number
  /** Operations that a worker has, or that wait for their time. */
  readonly later: number
  readonly dead: number
  /** How long the oldest operation is due. */
  readonly oldestDueMilliseconds: number
  /** `false` if a part of the index has 1,000 entries of a kind or more: then there may be more than these numbers say. */
  readonly isExact: boolean
}

/** An operation that failed too often. */
export interface DeadLetter {
  readonly id: string
  readonly payload: unknown
  readonly entity: string | undefined
  readonly reason: string
  readonly attempts: number
  /** Milliseconds since the Unix epoch. */
  readonly diedAt: number
}

/** Entries of one kind that are counted in a shard of the index. */
const MAX_COUNTED = 1_000
const SHARDS_AT_A_TIME = 8

/** Counts entries of the index, up to 1,000 of each kind in a shard. */
export async function queueStats(target: QueueTarget): Promise<QueueStats> {
  const { options } = target
  const now = options.clock.now()
  const counts = { due: 0, later: 0, dead: 0, oldest: now, isExact: true }
  const count = async (key: string, kind: 'due' | 'later' | 'dead', comparison?: '<' | '>=') => {
    const range = comparison && { comparison, now }
    const { Items = [], LastEvaluatedKey } = await page(target, { S: key }, MAX_COUNTED, range)
    counts[kind] += Items.length
    if (LastEvaluatedKey !== undefined) counts.isExact = false
    const first = Number(Items[0]?.[options.due]?.N ?? now)
    if (kind === 'due') counts.oldest = Math.min(counts.oldest, first)
  }
  await concurrently(shardsFromAnywhere(options.random, options.shards), SHARDS_AT_A_TIME, async (shard) => {
    const key = indexShard(options.name, shard)
    await count(key, 'due', '<')
    await count(key, 'later', '>=')
  })
  // Also those of a worker whose clock is ahead.
  await count(deadKey(options).S ?? '', 'dead')
  const { due, later, dead, oldest, isExact } = counts
  return { due, later, dead, oldestDueMilliseconds: Math.max(0, Math.round(now - oldest)), isExact }
}

/** The dead letters, the oldest first. */
export async function deadLetters(target: QueueTarget, limit: number): Promise<readonly DeadLetter[]> {
  const { db, options } = target
  const { Items = [] } = await page(target, deadKey(options), limit)
  const ids = [...new Set(Items.map((item) => idOf(options, item)))]
  const keys = ids.map((id) => operationKey(options, id))
  const items = new Map<string, StoredItem>()
  for (const item of await readItems(db, options, options.table, keys)) items.set(idOf(options, item), item)
  return ids.flatMap((id) => {
    const item = items.get(id)
    // The index may still have an entry of an operation that was begun again.
    const isDead = item?.[options.indexKey]?.S === deadKey(options).S
    return item !== undefined && isDead ? [deadLetterOf(id, item)] : []
  })
}

/** Begins a dead letter again. @throws IsothermError `queue.not-dead` */
export async function redrive({ db, options }: QueueTarget, id: string): Promise<void> {
  const { table, name, indexKey, due, clock, random } = options
  const token = requestToken(random)
  const input = {
    TableName: table,
    Key: operationKey(options, id),
    UpdateExpression:
      'SET #pending = :shard, #due = :due, attempts = :zero, redriven_by = :token REMOVE ended_at, ended_by, entity, next_id',
    ConditionExpression: '#pending = :dead',
    ExpressionAttributeNames: { '#pending': indexKey, '#due': due },
    ExpressionAttributeValues: {
      ':shard': pendingKey(options),
      ':due': dueAt(options, clock.now()),
      ':zero': { N: '0' },
      ':token': { S: token },
      ':dead': deadKey(options),
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  }
  try {
    await untilKnown(options, () => send(db, new UpdateItemCommand(input)))
  } catch (error) {
    if (refusalOf(error)?.kind !== 'condition') throw error
    // An attempt whose answer was lost has begun it again.
    if (itemThatRefused(error)?.redriven_by?.S === token) return
    throw new IsothermError(
      'queue.not-dead',
      `The operation ${id} of the queue ${name} is not a dead letter. It may have been begun again already. Pass an id that deadLetters() returned.`,
      { table, queue: name, id },
    )
  }
}

function page(
  { db, options }: QueueTarget,
  key: { readonly S?: string | undefined } | ReturnType<typeof deadKey>,
  Limit: number,
  range?: { readonly comparison: '<' | '>='; readonly now: number },
): Promise<QueryCommandOutput> {
  const { table, index, indexKey, due } = options
  const input = {
    TableName: table,
    IndexName: index,
    KeyConditionExpression: `#key = :key${range === undefined ? '' : ` AND #due ${range.comparison} :now`}`,
    ExpressionAttributeNames: { '#key': indexKey, ...(range === undefined ? {} : { '#due': due }) },
    ExpressionAttributeValues: {
      ':key': { S: key.S ?? '' },
      ...(range === undefined ? {} : { ':now': dueBefore(range.now) }),
    },
    Limit,
  }
  return untilTaken(options, () => send<QueryCommandOutput>(db, new QueryCommand(input)))
}

function deadLetterOf(id: string, item: StoredItem): DeadLetter {
  return {
    id,
    payload: JSON.parse(item.payload?.S ?? 'null'),
    entity: item.entity?.S,
    reason: item.last_error?.S ?? '',
    attempts: Number(item.attempts?.N ?? 0),
    diedAt: Number(item.ended_at?.N ?? 0),
  }
}
