import { UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { refusalOf } from '../refusal.js'
import { send } from '../send.js'
import { sendTransaction } from '../send-transaction.js'
import { untilTaken } from '../until-taken.js'
import type { CounterTarget } from './add-to-counter.js'
import type { Head } from './counter-items.js'

/** What moves from one shard into the head. */
export interface Move {
  readonly shard: number
  readonly count: bigint
  /** Whether the shard is closed with it, and then takes no more counts. */
  readonly closes: boolean
}

/**
 * Moves counts into the head, all or nothing. The sum is the same before and after.
 *
 * The head counts the moves, and the number that was seen must still be there. So a move that was answered late, or never, is carried out
 * once, and readers notice it.
 *
 * @returns whether it was done; `false` if something else moved, or a shard that closes has counted on
 */
export async function moveCounts(
  target: CounterTarget,
  head: Head,
  moves: readonly Move[],
): Promise<boolean> {
  const { db, options, items } = target
  const sum = moves.reduce((all, { count }) => all + count, 0n)
  const ofShard = ({ shard, count, closes }: Move) => ({
    Update: {
      TableName: options.table,
      Key: items.shard(shard),
      ...(closes
        ? closing(count, head.generation)
        : { UpdateExpression: 'ADD n :less', ExpressionAttributeValues: { ':less': { N: String(-count) } } }),
    },
  })
  const seen = head.moves === 0 ? 'attribute_not_exists(moves)' : 'moves = :moves'
  const ofHead = {
    Update: {
      TableName: options.table,
      Key: items.head,
      UpdateExpression: 'ADD rolled_up :sum, moves :one',
      ConditionExpression: `${seen}${moves.some(({ closes }) => closes) ? ' AND generation = :generation' : ''}`,
      ExpressionAttributeValues: {
        ':sum': { N: String(sum) },
        ':one': { N: '1' },
        ...(head.moves === 0 ? {} : { ':moves': { N: String(head.moves) } }),
        ...(moves.some(({ closes }) => closes) ? { ':generation': { N: String(head.generation) } } : {}),
      },
    },
  }
  const actions = [ofHead, ...moves.map(ofShard)]
  return unlessRefused(() => untilTaken(options, () => sendTransaction(db, actions)))
}

/** It has what was seen and not more: what came since would be lost. */
function closing(count: bigint, generation: number) {
  return {
    UpdateExpression: 'SET closed = :generation REMOVE n',
    ConditionExpression: count === 0n ? 'attribute_not_exists(n) OR n = :count' : 'n = :count',
    ExpressionAttributeValues: { ':generation': { N: String(generation) }, ':count': { N: String(count) } },
  }
}

/** Lowers the number of shards that writers use. @returns whether it was done; `false` if another process changed it */
export function lowerShards(target: CounterTarget, head: Head, shards: number): Promise<boolean> {
  return changeHead(target, head, {
    UpdateExpression: 'SET shards = :shards, highest = :highest, generation = :next, steps = :steps',
    ExpressionAttributeValues: {
      ':shards': { N: String(shards) },
      ':highest': { N: String(head.highest) },
      ':next': { N: String(head.generation + 1) },
      ':steps': { L: [{ N: String(shards) }] },
    },
  })
}

/** Ends the reading of closed shards. @returns as `lowerShards` */
export function forgetClosed(target: CounterTarget, head: Head): Promise<boolean> {
  return changeHead(target, head, {
    UpdateExpression: 'SET highest = :highest',
    ExpressionAttributeValues: { ':highest': { N: String(head.shards) } },
  })
}

function changeHead(
  { db, options, items }: CounterTarget,
  head: Head,
  change: {
    readonly UpdateExpression: string
    readonly ExpressionAttributeValues: Record<string, { N: string } | { L: { N: string }[] }>
  },
): Promise<boolean> {
  const input = {
    TableName: options.table,
    Key: items.head,
    UpdateExpression: change.UpdateExpression,
    ConditionExpression: 'generation = :seen',
    ExpressionAttributeValues: {
      ...change.ExpressionAttributeValues,
      ':seen': { N: String(head.generation) },
    },
  }
  return unlessRefused(() => untilTaken(options, () => send(db, new UpdateItemCommand(input))))
}

async function unlessRefused(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (refusalOf(error)?.kind === 'condition') return false
    throw error
  }
}
