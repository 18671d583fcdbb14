import { requestToken } from '../../attempts/request-token.js'
import { refusalOf } from '../refusal.js'
import { sendTransaction } from '../send-transaction.js'
import { untilKnown } from '../until-known.js'
import type { CounterTarget } from './add-to-counter.js'
import type { Head } from './counter-items.js'
import { headAsRead, sameHead } from './head-identity.js'
import { itemThatRefusedAction } from './refused-action.js'

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
  const id = requestToken(options.random)
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
  // A growth does not disturb moves that close nothing.
  const asRead = moves.some(({ closes }) => closes) ? headAsRead(head) : sameHead(head)
  const seen = head.moves === 0 ? 'attribute_not_exists(moves)' : 'moves = :moves'
  const ofHead = {
    Update: {
      TableName: options.table,
      Key: items.head,
      UpdateExpression: 'SET moved_by = :id ADD rolled_up :sum, moves :one',
      ConditionExpression: `${seen} AND ${asRead.text}`,
      ExpressionAttributeValues: {
        ':id': { S: id },
        ':sum': { N: String(sum) },
        ':one': { N: '1' },
        ...(head.moves === 0 ? {} : { ':moves': { N: String(head.moves) } }),
        ...asRead.values,
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    },
  }
  const actions = [ofHead, ...moves.map(ofShard)]
  try {
    await untilKnown(options, () => sendTransaction(db, actions))
    return true
  } catch (error) {
    if (refusalOf(error)?.kind !== 'condition') throw error
    // An attempt before the refused one may have been carried out, and its answer lost.
    return itemThatRefusedAction(error, 0)?.moved_by?.S === id
  }
}

/** It has what was seen and not more: what came since would be lost. */
function closing(count: bigint, generation: number) {
  return {
    UpdateExpression: 'SET closed = :generation REMOVE n',
    ConditionExpression: count === 0n ? 'attribute_not_exists(n) OR n = :count' : 'n = :count',
    ExpressionAttributeValues: { ':generation': { N: String(generation) }, ':count': { N: String(count) } },
  }
}
