import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { Random } from '@isotherm/runtime'
import { requestToken } from '../../attempts/request-token.js'
import type { Head } from './counter-items.js'

/** A part of an update of the head, with the values that it uses. */
interface UpdatePart {
  readonly text: string
  readonly values: Readonly<Record<string, AttributeValue>>
}

/**
 * The condition that the shards are as they were read. A generation alone does not say so: a head that was deleted and made again counts its
 * generations from the beginning.
 */
export function headAsRead({ generation, madeBy }: Head): UpdatePart {
  if (generation === 0) return { text: 'attribute_not_exists(generation)', values: {} }
  const same = sameHead({ madeBy })
  return {
    text: `generation = :seen AND ${same.text}`,
    values: { ':seen': { N: String(generation) }, ...same.values },
  }
}

/**
 * The condition that the head was not made again since it was read. Its shards may have changed.
 *
 * A head that was never changed has no id. One like it that is made again has one shard, too, so that moves between that shard and the head
 * keep their sum.
 */
export function sameHead({ madeBy }: Pick<Head, 'madeBy'>): UpdatePart {
  if (madeBy === undefined) return { text: 'attribute_not_exists(made_by)', values: {} }
  return { text: 'made_by = :made_by', values: { ':made_by': { S: madeBy } } }
}

/**
 * Continues a SET that changes the generation. A new head gets its id, and so does one of an earlier build, which made heads without ids. All
 * other updates keep the id.
 */
export function andMadeBy(head: Head, random: Random): UpdatePart {
  if (head.madeBy !== undefined) return { text: '', values: {} }
  return { text: ', made_by = :new_id', values: { ':new_id': { S: requestToken(random) } } }
}

/** Whether a process that counts by `known` may have counted where readers of `head` do not look. */
export function missesCounts(head: Head, known: Head): boolean {
  // The head was made again, or the reading is old.
  if (head.generation < known.generation) return true
  if (isSameHead(head, known)) return false
  // With a higher generation, shards that were closed before the head was made again are open.
  return head.generation === known.generation || head.highest < known.highest
}

/** A head without an id may have got one since, with a change of its generation. It never loses it. */
function isSameHead(head: Head, known: Head): boolean {
  if (head.madeBy === known.madeBy) return true
  return known.madeBy === undefined && head.generation > known.generation
}
