import { IsothermError } from '../../errors/isotherm-error.js'
import { readItem, readItems } from '../read-items.js'
import type { CounterTarget } from './add-to-counter.js'
import { countOf, type Head, headOf } from './counter-items.js'

/** A counter at some moment. */
export interface Snapshot {
  readonly head: Head
  /** What each shard has counted since it was rolled up, by its number. */
  readonly counts: ReadonlyMap<number, bigint>
  readonly value: bigint
}

/** A reading in which something moved is repeated so often at most. */
const MAX_READINGS = 50

/**
 * Reads all shards.
 *
 * Items are read one after the other, while others count and roll up. A count that is made meanwhile may or may not be in the sum.
 * But what a roll-up moves could be missed, or seen twice. So the head is read before and after, and counts the moves.
 *
 * @throws IsothermError `counter.busy`
 */
export async function readCounter({ db, options, items }: CounterTarget): Promise<Snapshot> {
  const { table } = options
  const readHead = async () => headOf(await readItem(db, options, table, items.head))
  let head = await readHead()
  for (let readings = 0; readings < MAX_READINGS; readings++) {
    const keys = Array.from({ length: head.highest }, (_, index) => items.shard(index + 1))
    const found = await readItems(db, options, table, keys)
    const after = await readHead()
    // mark: nothing-moves-while-a-counter-is-read
    if (after.moves === head.moves)
      return snapshotOf(head, new Map(found.map((item) => [items.shardOf(item), countOf(item)])))
    head = after
  }
  throw new IsothermError(
    'counter.busy',
    `The counter ${options.key} was rolled up or reset during each of ${MAX_READINGS} readings. Roll it up less often.`,
    { table, key: options.key, readings: MAX_READINGS },
  )
}

function snapshotOf(head: Head, counts: ReadonlyMap<number, bigint>): Snapshot {
  const value = [...counts.values()].reduce((sum, count) => sum + count, head.total)
  return { head, counts, value }
}

/** @throws IsothermError `counter.too-large` */
export function numberOf(value: bigint, { table, key }: CounterTarget['options']): number {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  throw new IsothermError(
    'counter.too-large',
    `The counter ${key} is ${value}, which a JavaScript number cannot hold exactly. Count in larger units.`,
    { table, key, value },
  )
}
