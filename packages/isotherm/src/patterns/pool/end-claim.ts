import { type TransactWriteItem, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { IsothermError } from '../../errors/isotherm-error.js'
import { readItem } from '../read-items.js'
import { itemThatRefused, refusalOf } from '../refusal.js'
import { send } from '../send.js'
import { untilKnown } from '../until-known.js'
import type { Claim } from './claim-from-pool.js'
import { keyOf, type PoolTarget, unusedAttributes } from './pool-items.js'

/** A claim, without what is not needed to end it. */
export type ClaimName = Pick<Claim, 'id' | 'claim'>

type Update = NonNullable<TransactWriteItem['Update']>

/** Marks the item as used for good. It holds once, so that a transaction with it is carried out once, however often it is sent. */
export function useUpdate({ options }: PoolTarget, { id, claim }: ClaimName): Update {
  return {
    TableName: options.table,
    Key: keyOf(options, id),
    UpdateExpression: 'SET used_at = :now',
    ConditionExpression: 'claim = :claim AND attribute_not_exists(used_at)',
    ExpressionAttributeValues: {
      ':claim': { S: claim },
      ':now': { N: String(Math.floor(options.clock.now())) },
    },
  }
}

/** @throws IsothermError `pool.not-claimed` */
export async function useClaim(target: PoolTarget, claim: ClaimName): Promise<void> {
  const isDone = await sendUpdate(
    target,
    useUpdate(target, claim),
    (item) => item?.claim?.S === claim.claim && item.used_at !== undefined,
  )
  if (!isDone) throw notClaimed(target, claim)
}

/** Brings the item back into the index, at another place. @throws IsothermError `pool.not-claimed` */
export async function releaseClaim(target: PoolTarget, { id, claim }: ClaimName): Promise<void> {
  const { options } = target
  const unused = unusedAttributes(options)
  const update: Update = {
    TableName: options.table,
    Key: keyOf(options, id),
    UpdateExpression: 'SET #shard = :shard, #place = :place, last_claim = :claim REMOVE claim, claimed_at',
    // mark: item-is-released-by-its-holder
    ConditionExpression: 'claim = :claim AND attribute_not_exists(used_at)',
    ExpressionAttributeNames: { '#shard': options.indexKey, '#place': options.place },
    ExpressionAttributeValues: {
      ':claim': { S: claim },
      ':shard': unused[options.indexKey] ?? { NULL: true },
      ':place': unused[options.place] ?? { NULL: true },
    },
  }
  const isDone = await sendUpdate(target, update, (item) => item?.last_claim?.S === claim)
  if (!isDone) throw notClaimed(target, { id, claim })
}

/** @param isDone whether the item shows that an attempt whose answer was lost was carried out */
async function sendUpdate(
  { db, options }: PoolTarget,
  update: Update,
  isDone: (item: Awaited<ReturnType<typeof readItem>>) => boolean,
): Promise<boolean> {
  const input = { ...update, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }
  try {
    await untilKnown(options, () => send(db, new UpdateItemCommand(input)))
    return true
  } catch (error) {
    if (refusalOf(error)?.kind !== 'condition') throw error
    return isDone(itemThatRefused(error) ?? (await readItem(db, options, options.table, update.Key ?? {})))
  }
}

function notClaimed(
  { options: { table } }: PoolTarget,
  { id, claim }: ClaimName,
): IsothermError<'pool.not-claimed'> {
  return new IsothermError(
    'pool.not-claimed',
    `${id} does not belong to the claim ${claim}: it was released or used, or another claim has it. Use and release what claim() returned, once.`,
    { table, id, claim },
  )
}
