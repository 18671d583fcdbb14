import { type AttributeValue, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { refusalOf } from '../refusal.js'
import { send } from '../send.js'
import type { Sender } from '../sending/pattern-client.js'
import { untilKnown } from '../until-known.js'
import type { Patience } from '../until-taken.js'
import type { CounterItems, Head } from './counter-items.js'
import type { ParsedCounterOptions } from './counter-options.js'
import { andMadeBy, headAsRead } from './head-identity.js'

/** Where a head is. */
interface HeadPlace {
  readonly db: Sender
  readonly options: ParsedCounterOptions & Pick<Patience, 'signal'>
  readonly items: CounterItems
}

/** Lowers the number of shards that writers use, unless another process changed it. */
export function lowerShards(target: HeadPlace, head: Head, shards: number): Promise<void> {
  const id = andMadeBy(head, target.options.random)
  return changeHead(target, head, {
    UpdateExpression: `SET shards = :shards, highest = :highest, generation = :next, steps = :steps${id.text}`,
    ExpressionAttributeValues: {
      ...id.values,
      ':shards': { N: String(shards) },
      ':highest': { N: String(head.highest) },
      ':next': { N: String(head.generation + 1) },
      ':steps': { L: [{ N: String(shards) }] },
    },
  })
}

/** Ends the reading of closed shards, unless another process changed their number. */
export function forgetClosed(target: HeadPlace, head: Head): Promise<void> {
  return changeHead(target, head, {
    UpdateExpression: 'SET highest = :highest',
    ExpressionAttributeValues: { ':highest': { N: String(head.shards) } },
  })
}

/** Makes writers newer than the closing of shards that they use, unless another process changed their number. */
export function raiseGeneration(target: HeadPlace, head: Head, generation: number): Promise<void> {
  const id = andMadeBy(head, target.options.random)
  return changeHead(target, head, {
    UpdateExpression: `SET generation = :next${id.text}`,
    ExpressionAttributeValues: { ...id.values, ':next': { N: String(generation) } },
  })
}

async function changeHead(
  { db, options, items }: HeadPlace,
  head: Head,
  change: {
    readonly UpdateExpression: string
    readonly ExpressionAttributeValues: Readonly<Record<string, AttributeValue>>
  },
): Promise<void> {
  const asRead = headAsRead(head)
  const input = {
    TableName: options.table,
    Key: items.head,
    UpdateExpression: change.UpdateExpression,
    ConditionExpression: asRead.text,
    ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ...asRead.values },
  }
  try {
    await untilKnown(options, () => send(db, new UpdateItemCommand(input), options.signal))
  } catch (error) {
    if (refusalOf(error)?.kind !== 'condition') throw error
  }
}
