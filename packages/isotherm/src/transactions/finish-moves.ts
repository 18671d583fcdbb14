import { finishMove } from '../moves/finish-move.js'
import type { RequestContext } from '../sdk/request-context.js'
import type { MovingItem } from './place-members.js'

/** Finishes the moves of the items. What this process knew of their keys may be older, so the shard map is asked. */
export async function finishMoves(items: readonly MovingItem[], { options }: RequestContext): Promise<void> {
  for (const { member, shard } of items) {
    const { table, itemKey } = member
    await finishMove(table, { key: itemKey, source: shard, signal: options?.abortSignal })
    await table.views.forRead(itemKey.logical, { consistent: true })
  }
}
