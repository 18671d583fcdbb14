import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { concurrently } from '../../bounded/concurrently.js'
import type { StoredItem } from '../read-items.js'
import { itemThatRefused, refusalOf } from '../refusal.js'
import { send } from '../send.js'
import { untilKnown } from '../until-known.js'
import { MAX_BATCH, writeBatch } from '../write-batch.js'
import { type PoolTarget, wasPutAt } from './pool-items.js'
import { isLasting, unprocessed } from './unprocessed.js'

const BATCHES_AT_A_TIME = 8
const PUTS_AT_A_TIME = 50

/**
 * Puts each item unless it exists. After a put that failed, no further one is begun, and those that were are waited for.
 *
 * @returns the ids of those that existed
 * @throws IsothermError `pool.unprocessed`
 */
export async function addIfNew(target: PoolTarget, items: readonly StoredItem[]): Promise<readonly string[]> {
  const left = new Set(items.map((item) => idOf(target, item)))
  const existing: string[] = []
  const errors: unknown[] = []
  await concurrently(items, PUTS_AT_A_TIME, async (item) => {
    if (errors.length > 0) return
    const id = idOf(target, item)
    try {
      if (!(await putIfNew(target, item))) existing.push(id)
      left.delete(id)
    } catch (error) {
      errors.push(error)
    }
  })
  requireAdded(target, { ids: [...left], existing, asked: items.length }, errors)
  return existing
}

async function putIfNew({ db, options }: PoolTarget, Item: StoredItem): Promise<boolean> {
  const { table, partitionKey, place } = options
  const input = {
    TableName: table,
    Item,
    ConditionExpression: 'attribute_not_exists(#key)',
    ExpressionAttributeNames: { '#key': partitionKey },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  }
  try {
    await untilKnown(options, () => send(db, new PutItemCommand(input)))
    return true
  } catch (error) {
    if (refusalOf(error)?.kind !== 'condition') throw error
    // Its place is random: it was put by an attempt whose answer was lost.
    return wasPutAt(itemThatRefused(error), options, Item[place]?.N ?? '')
  }
}

/**
 * Puts items by batches, whether or not they exist. Members that are left unprocessed are sent again until the time is up.
 *
 * @throws IsothermError `pool.unprocessed`
 */
export async function addByBatches(target: PoolTarget, items: readonly StoredItem[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / MAX_BATCH) }, (_, index) =>
    items.slice(index * MAX_BATCH, (index + 1) * MAX_BATCH).map((Item) => ({ PutRequest: { Item } })),
  )
  const left: StoredItem[] = []
  const errors: unknown[] = []
  await concurrently(batches, BATCHES_AT_A_TIME, async (batch) => {
    if (errors.some(isLasting)) return
    try {
      const sent = await writeBatch(target.db, target.options, target.options.table, batch)
      left.push(...sent.left.map(({ PutRequest }) => PutRequest?.Item ?? {}))
      if (sent.error !== undefined) errors.push(sent.error)
    } catch (error) {
      left.push(...batch.map(({ PutRequest }) => PutRequest.Item))
      errors.push(error)
    }
  })
  const ids = left.map((item) => idOf(target, item))
  requireAdded(target, { ids, existing: [], asked: items.length }, errors)
}

interface Outcome {
  readonly ids: readonly string[]
  readonly existing: readonly string[]
  readonly asked: number
}

/** @throws the error that another attempt would meet again, if there is one, or IsothermError `pool.unprocessed` if items are left */
function requireAdded(target: PoolTarget, outcome: Outcome, errors: readonly unknown[]): void {
  const lasting = errors.find(isLasting)
  if (lasting !== undefined) throw lasting
  if (outcome.ids.length > 0) throw unprocessed(target, { ...outcome, cause: errors[0] })
}

function idOf({ options: { partitionKey } }: PoolTarget, item: StoredItem): string {
  return item[partitionKey]?.S ?? ''
}
