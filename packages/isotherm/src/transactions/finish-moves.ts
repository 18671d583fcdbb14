import { CHANGED, type Changed, type Stale } from '../attempts/outcome.js'
import { finishMove } from '../protocol/index.js'
import type { RequestContext } from '../sdk/request-context.js'
import { isCalculated } from '../writes/calculated.js'
import type { MovingItem } from './place-members.js'

/**
 * Moves the items, or completes their moves. Any process that encounters an unfinished move completes it, and searches again.
 */
export async function finishMoves(
  items: readonly MovingItem[],
  { options }: RequestContext,
): Promise<Changed | Stale> {
  for (const { member, shard } of items) {
    const { table, itemKey } = member
    const signal = options?.abortSignal
    const { suffix } = table.options
    if (isCalculated(suffix)) await suffix.moveItem(table, itemKey, shard)
    const finished = await finishMove(table, { key: itemKey, source: shard, signal })
    if (finished.kind === 'stale') return finished
  }
  return CHANGED
}
