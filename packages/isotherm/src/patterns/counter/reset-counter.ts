import { UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { requestToken } from '../../attempts/request-token.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import { readItem } from '../read-items.js'
import { itemThatRefused, refusalOf } from '../refusal.js'
import { send } from '../send.js'
import { untilKnown } from '../until-known.js'
import type { CounterTarget } from './add-to-counter.js'
import { type Head, headOf } from './counter-items.js'
import { sameHead } from './head-identity.js'
import { numberOf, readCounter } from './read-counter.js'

const MAX_REFUSED = 50

/** So many resets of other processes may come between one whose response was lost and its next attempt. Their ids take a quarter of a kilobyte. */
const MAX_REMEMBERED = 8

/**
 * Takes what the counter has out of its head, which is one write: shards keep their counts, and the head is so much less.
 *
 * @returns the value until then
 * @throws IsothermError `counter.too-large`, and nothing was written; `counter.busy`
 */
export async function resetCounter(target: CounterTarget): Promise<number> {
  const { db, options, items } = target
  const id = requestToken(options.random)
  for (let refused = 0; refused < MAX_REFUSED; refused++) {
    const { head, value } = await readCounter(target)
    // It is returned, or not taken out.
    const number = numberOf(value, options)
    try {
      await untilKnown(options, () => send(db, resetCommand(target, head, value, id)))
      return number
    } catch (error) {
      if (refusalOf(error)?.kind !== 'condition') throw error
      // An attempt before the refused one may have been carried out, and its answer lost.
      const item = itemThatRefused(error) ?? (await readItem(db, options, options.table, items.head))
      if (headOf(item).resets.includes(id)) return number
    }
  }
  const { table, key } = options
  throw new IsothermError(
    'counter.busy',
    `The counter ${key} was rolled up or reset before each of ${MAX_REFUSED} attempts to reset it. Let one process do so.`,
    { table, key, readings: MAX_REFUSED },
  )
}

function resetCommand({ options, items }: CounterTarget, head: Head, value: bigint, id: string) {
  const same = sameHead(head)
  return new UpdateItemCommand({
    TableName: options.table,
    Key: items.head,
    UpdateExpression: 'SET reset_by = :id ADD rolled_up :less, moves :one',
    // The value of a head that was made again is another one.
    ConditionExpression: `${head.moves === 0 ? 'attribute_not_exists(moves)' : 'moves = :moves'} AND ${same.text}`,
    ExpressionAttributeValues: {
      // An earlier reset may not know yet that it was carried out.
      ':id': { S: [id, ...head.resets].slice(0, MAX_REMEMBERED).join(' ') },
      ':less': { N: String(-value) },
      ':one': { N: '1' },
      ...(head.moves === 0 ? {} : { ':moves': { N: String(head.moves) } }),
      ...same.values,
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  })
}
