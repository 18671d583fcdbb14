import type { ShardedTable } from '../../options/sharded-table.js'
import { type Placement, placementOf } from './placement.js'

const placements = new WeakMap<ShardedTable, Placement>()

/**
 * Where items of the table may be. Not a member of the table: a client that only appends, or queries, asks for no item's place,
 * and need not carry what tells it.
 */
export function placementIn({ options }: { readonly options: ShardedTable }): Placement {
  const known = placements.get(options)
  if (known !== undefined) return known
  const placement = placementOf(options)
  placements.set(options, placement)
  return placement
}
