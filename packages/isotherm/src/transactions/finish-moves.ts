import { ShardedCall } from '../attempts/sharded-call.js'
import { finishMove } from '../moves/finish-move.js'
import type { RequestContext } from '../sdk/request-context.js'
import type { MovingItem } from './place-members.js'

/**
 * Finishes the moves of the items, as the shard map says now: what this process knew may be older than the move.
 */
export async function finishMoves(items: readonly MovingItem[], { options }: RequestContext): Promise<void> {
  for (const { member, shard } of items) {
    const { table, itemKey } = member
    const view = await table.views.forRead(itemKey.logical, { consistent: true })
    const to =
      table.placement.kind === 'random'
        ? table.placement.home(view, itemKey)
        : table.placement.candidates(view, itemKey).at(-1)
    if (to === undefined || to === shard) continue
    const call = new ShardedCall(
      table,
      { options, carryMiddleware: () => {} },
      { TableName: member.action.TableName },
    )
    await finishMove(call, view, { key: itemKey, from: shard, to })
  }
}
