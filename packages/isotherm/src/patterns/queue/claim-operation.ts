import {
  type AttributeValue,
  QueryCommand,
  type QueryCommandOutput,
  UpdateItemCommand,
  type UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { requestToken } from '../../attempts/request-token.js'
import { indexShard, shardsFromAnywhere, shuffled } from '../index-shards.js'
import { readItem, type StoredItem } from '../read-items.js'
import { itemThatRefused, refusalOf } from '../refusal.js'
import { send } from '../send.js'
import { untilKnown } from '../until-known.js'
import { untilTaken } from '../until-taken.js'
import { dueAt, dueBefore, idOf, operationKey, type QueueTarget } from './queue-items.js'

/** An operation that belongs to this worker for the time of its lease. */
export interface Leased {
  readonly id: string
  readonly lease: string
  readonly payload: string
  readonly entity: string | undefined
  /** How often it was begun, this time included. */
  readonly attempts: number
  /** Of the attempt before. */
  readonly error: string | undefined
}

/** Candidates of a page beyond those that are wanted, because other workers take some of them meanwhile. */
const LEAST_SPARE = 8
const MOST_SPARE = 512

/** How many candidates a worker draws from: more of them while it meets other workers. */
export interface Spread {
  spareCandidates: number
}

export function firstSpread(): Spread {
  return { spareCandidates: LEAST_SPARE }
}

/** What came of a claim. */
export interface Claimed {
  readonly leased: readonly Leased[]
  /**
   * Whether the index shows nothing that is due. Otherwise there may be more: what was found and not claimed belongs to other workers, or was
   * worked off a moment ago, and the index still shows it before those behind it.
   */
  readonly isEmpty: boolean
}

/** Claims up to `count` operations that are due. */
export async function claimOperations(target: QueueTarget, count: number, spread: Spread): Promise<Claimed> {
  const { random, shards } = target.options
  const leased: Leased[] = []
  let isEmpty = true
  for (const shard of shardsFromAnywhere(random, shards)) {
    let found: DueOperation[]
    try {
      found = await dueOperations(target, shard, count - leased.length + spread.spareCandidates)
    } catch (error) {
      // What is claimed in other shards is worked on. The next claim meets the error if it lasts.
      if (leased.length > 0) break
      throw error
    }
    if (found.length > 0) isEmpty = false
    while (found.length > 0 && leased.length < count) {
      const tries = found.splice(0, count - leased.length)
      const ended = await Promise.allSettled(tries.map(({ id, due }) => claimOne(target, id, due)))
      const before = leased.length
      for (const one of ended) if (one.status === 'fulfilled' && one.value) leased.push(one.value)
      const met = ended.length - (leased.length - before)
      const { spareCandidates: spare } = spread
      if (2 * met > ended.length) spread.spareCandidates = Math.min(MOST_SPARE, 2 * spare)
      else if (met === 0) spread.spareCandidates = Math.max(LEAST_SPARE, spare - 1)
      const failed = ended.find((one) => one.status === 'rejected')
      // What is claimed is worked on; what may be claimed beside it passes to another worker with its lease.
      if (failed !== undefined && leased.length === 0) throw failed.reason
    }
    if (leased.length >= count) break
  }
  return { leased, isEmpty }
}

interface DueOperation {
  readonly id: string
  readonly due: AttributeValue
}

/** In random order, so that workers do not meet. */
async function dueOperations(
  { db, options }: QueueTarget,
  shard: number,
  count: number,
): Promise<DueOperation[]> {
  const { table, index, indexKey, due, name, clock, random } = options
  const input = {
    TableName: table,
    IndexName: index,
    KeyConditionExpression: '#shard = :shard AND #due < :soon',
    ExpressionAttributeNames: { '#shard': indexKey, '#due': due },
    ExpressionAttributeValues: {
      ':shard': { S: indexShard(name, shard) },
      ':soon': dueBefore(clock.now()),
    },
    Limit: count,
  }
  const { Items = [] } = await untilTaken(options, () =>
    send<QueryCommandOutput>(db, new QueryCommand(input)),
  )
  const operations = Items.flatMap((item) => {
    const at = item[due]
    return at === undefined ? [] : [{ id: idOf(options, item), due: at }]
  })
  return shuffled(random, operations)
}

async function claimOne(
  { db, options }: QueueTarget,
  id: string,
  due: AttributeValue,
): Promise<Leased | undefined> {
  const { clock, random, leaseMilliseconds, table } = options
  const lease = requestToken(random)
  const Key = operationKey(options, id)
  const input = {
    TableName: table,
    Key,
    UpdateExpression: 'SET lease = :lease, #due = :until ADD attempts :one',
    // mark: operation-is-claimed-where-it-was-seen
    ConditionExpression: '#due = :due',
    ExpressionAttributeNames: { '#due': options.due },
    ExpressionAttributeValues: {
      ':lease': { S: lease },
      ':due': due,
      ':until': dueAt(options, clock.now() + leaseMilliseconds),
      ':one': { N: '1' },
    },
    ReturnValues: 'ALL_NEW' as const,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  }
  try {
    const { Attributes } = await untilKnown(options, () =>
      send<UpdateItemCommandOutput>(db, new UpdateItemCommand(input)),
    )
    return leasedOf(id, lease, Attributes)
  } catch (error) {
    if (refusalOf(error)?.kind !== 'condition') throw error
    // An attempt whose answer was lost may have claimed it.
    const item = itemThatRefused(error) ?? (await readItem(db, options, table, Key))
    return item?.lease?.S === lease ? leasedOf(id, lease, item) : undefined
  }
}

function leasedOf(id: string, lease: string, item: StoredItem | undefined): Leased {
  return {
    id,
    lease,
    payload: item?.payload?.S ?? 'null',
    entity: item?.entity?.S,
    attempts: Number(item?.attempts?.N ?? 1),
    error: item?.last_error?.S,
  }
}
