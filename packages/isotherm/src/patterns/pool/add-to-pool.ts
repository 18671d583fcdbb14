import { PutItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb'
import { concurrently } from '../../bounded/concurrently.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { StoredItem } from '../read-items.js'
import { itemThatRefused, refusalOf } from '../refusal.js'
import { send } from '../send.js'
import { untilKnown } from '../until-known.js'
import { MAX_BATCH, writeBatch } from '../write-batch.js'
import type { PoolTarget } from './pool-items.js'

const BATCHES_AT_A_TIME = 8
const PUTS_AT_A_TIME = 50

/** Puts each item unless it exists. @returns the ids of those that did */
export async function addIfNew(target: PoolTarget, items: readonly StoredItem[]): Promise<readonly string[]> {
  const { partitionKey } = target.options
  const existing: string[] = []
  await concurrently(items, PUTS_AT_A_TIME, async (item) => {
    if (!(await putIfNew(target, item))) existing.push(item[partitionKey]?.S ?? '')
  })
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
    return itemThatRefused(error)?.[place]?.N === Item[place]?.N
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
  const left: WriteRequest[] = []
  let last: unknown
  await concurrently(batches, BATCHES_AT_A_TIME, async (batch) => {
    const sent = await writeBatch(target.db, target.options, target.options.table, batch)
    left.push(...sent.left)
    last ??= sent.error
  })
  if (left.length === 0) return
  const { table, partitionKey, timeoutMilliseconds } = target.options
  const ids = left.map(({ PutRequest }) => PutRequest?.Item?.[partitionKey]?.S ?? '')
  throw new IsothermError(
    'pool.unprocessed',
    `${ids.length} of ${items.length} items were not added to ${table} within ${timeoutMilliseconds} ms each: the table or its index is throttled. Add details.ids again, more slowly.`,
    { table, ids },
    { cause: last },
  )
}
