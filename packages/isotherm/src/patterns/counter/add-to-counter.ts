import { UpdateItemCommand, type UpdateItemCommandInput } from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import { IsothermError } from '../../errors/isotherm-error.js'
import { readItem } from '../read-items.js'
import { itemThatRefused, refusalOf } from '../refusal.js'
import { send } from '../send.js'
import { sendTransaction } from '../send-transaction.js'
import type { Sender } from '../sending/pattern-client.js'
import { stopAtThrottle } from '../stop-at-throttle.js'
import { unlessAborted } from '../unless-aborted.js'
import { untilTaken } from '../until-taken.js'
import type { CounterItems } from './counter-items.js'
import type { ParsedCounterOptions } from './counter-options.js'
import type { CounterShards } from './counter-shards.js'
import { itemThatRefusedAction } from './refused-action.js'

/** Where a count goes. */
export interface CounterTarget {
  readonly db: Sender
  readonly options: ParsedCounterOptions
  readonly items: CounterItems
  readonly shards: CounterShards
}

/** A token that is counted once. */
interface CountToken {
  readonly text: string
  /** Distinguishes the call that counted it from others with the same token. */
  readonly countedBy: string
}

/** One count. */
export interface Addition {
  readonly amount: number
  readonly token: CountToken | undefined
  readonly signal: AbortSignal | undefined
}

/** How often a count may meet a closed shard: each time the process reads which are open. */
const MAX_CLOSED = 20

/** @returns whether it was counted now; `false` if its token was counted before */
export async function addToCounter(target: CounterTarget, addition: Addition): Promise<boolean> {
  const { options, shards } = target
  const { signal } = addition
  const until = options.clock.now() + options.timeoutMilliseconds
  let unknown: Error | undefined
  for (let closed = 0; ; closed++) {
    let view = await unlessAborted(signal, () => shards.view())
    let shard = 0
    let isFirst = true
    try {
      await untilTaken(
        { ...options, signal },
        async () => {
          view = await unlessAborted(signal, () => shards.view())
          shard = randomInteger(options.random, 1, view.shards)
          await sendAddition(target, addition, shard, view.generation)
        },
        async (refusal) => {
          await shards.refused(view, refusal, isFirst)
          isFirst = false
        },
      )
      if (isFirst) shards.counted()
      return true
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal?.kind !== 'condition') throw error
      // The token is the second action, and decides.
      if (refusal.failed.includes(1)) return isCountedByThisCall(target, addition, error)
      if (closed >= MAX_CLOSED) throw unknown ?? busy(options, error)
      // Which shards are open cannot be read. The next one that is drawn may be, and this costs no time.
      if (unknown !== undefined && options.clock.now() >= until) continue
      const refusedBy = { shard, closed: await closingOf(target, shard, error) }
      unknown = await unlessAborted(signal, () => shards.refresh(refusedBy))
    }
  }
}

/** @returns the generation in which the shard was closed, or -1 if it is open by now */
async function closingOf(
  { db, options, items }: CounterTarget,
  shard: number,
  error: unknown,
): Promise<number> {
  const item =
    itemThatRefused(error) ??
    itemThatRefusedAction(error, 0) ??
    (await readItem(db, options, options.table, items.shard(shard)))
  return Number(item?.closed?.N ?? -1)
}

function busy({ table, key }: ParsedCounterOptions, cause: unknown): IsothermError {
  const attempts = MAX_CLOSED + 1
  return new IsothermError(
    'counter.busy',
    `Each of ${attempts} attempts to count in the counter ${key} met a closed shard. Nothing was counted. Lower its number of shards less often, and send the count again.`,
    { table, key, readings: attempts },
    { cause },
  )
}

/** An attempt whose answer was lost may have counted the token. */
async function isCountedByThisCall(
  { db, options, items }: CounterTarget,
  { token }: Addition,
  error: unknown,
): Promise<boolean> {
  if (token === undefined) return false
  const item =
    itemThatRefusedAction(error, 1) ?? (await readItem(db, options, options.table, items.token(token.text)))
  return item?.counted_by?.S === token.countedBy
}

function sendAddition(
  target: CounterTarget,
  addition: Addition,
  shard: number,
  generation: number,
): Promise<unknown> {
  const { db, options, items } = target
  const { amount, token, signal } = addition
  const update = {
    TableName: options.table,
    Key: items.shard(shard),
    UpdateExpression: 'ADD n :amount',
    // mark: closed-shard-takes-no-count
    ConditionExpression: 'attribute_not_exists(closed) OR closed < :generation',
    ExpressionAttributeValues: {
      ':amount': { N: String(amount) },
      ':generation': { N: String(generation) },
    },
    // It has the generation in which it was closed.
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } satisfies UpdateItemCommandInput
  if (token === undefined) return send(db, stopAtThrottle(new UpdateItemCommand(update)), signal)
  return sendTransaction(db, [{ Update: update }, { Put: tokenPut(target, token) }], signal)
}

function tokenPut({ options, items }: CounterTarget, { text, countedBy }: CountToken) {
  const { table, partitionKey, ttlAttribute, tokenMilliseconds, clock } = options
  const expiresAt = Math.ceil((clock.now() + tokenMilliseconds) / 1_000)
  return {
    TableName: table,
    Item: { ...items.token(text), [ttlAttribute]: { N: String(expiresAt) }, counted_by: { S: countedBy } },
    // mark: token-is-counted-once
    ConditionExpression: 'attribute_not_exists(#key)',
    ExpressionAttributeNames: { '#key': partitionKey },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  }
}
