import { UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { requestToken } from '../../attempts/request-token.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import { readItem } from '../read-items.js'
import { refusalOf } from '../refusal.js'
import { send } from '../send.js'
import { untilTaken } from '../until-taken.js'
import type { CounterTarget } from './add-to-counter.js'
import { type Head, headOf } from './counter-items.js'
import { readCounter } from './read-counter.js'

const MAX_REFUSED = 50

/**
 * Takes what the counter has out of its head, which is one write: shards keep their counts, and the head is so much less.
 *
 * @returns the value until then
 * @throws IsothermError `counter.busy`
 */
export async function resetCounter(target: CounterTarget): Promise<bigint> {
  const { db, options, items } = target
  const id = requestToken(options.random)
  for (let refused = 0; refused < MAX_REFUSED; refused++) {
    const { head, value } = await readCounter(target)
    try {
      await untilTaken(options, () => send(db, resetCommand(target, head, value, id)))
      return value
    } catch (error) {
      if (refusalOf(error)?.kind !== 'condition') throw error
    }
    // An attempt before the refused one may have been carried out, and its answer lost.
    if (headOf(await readItem(db, options, options.table, items.head)).resetBy === id) return value
  }
  const { table, key } = options
  throw new IsothermError(
    'counter.busy',
    `The counter ${key} was rolled up or reset before each of ${MAX_REFUSED} attempts to reset it. Let one process do so.`,
    { table, key, readings: MAX_REFUSED },
  )
}

function resetCommand({ options, items }: CounterTarget, head: Head, value: bigint, id: string) {
  return new UpdateItemCommand({
    TableName: options.table,
    Key: items.head,
    UpdateExpression: 'SET reset_by = :id ADD rolled_up :less, moves :one',
    ConditionExpression: head.moves === 0 ? 'attribute_not_exists(moves)' : 'moves = :moves',
    ExpressionAttributeValues: {
      ':id': { S: id },
      ':less': { N: String(-value) },
      ':one': { N: '1' },
      ...(head.moves === 0 ? {} : { ':moves': { N: String(head.moves) } }),
    },
  })
}
