import type { ShardedTable } from '../../options/sharded-table.js'
import { type Placement, placementOf } from './placement.js'

const placements = new WeakMap<ShardedTable, Placement>()

/**
 * Returns the placement of the table's items. It is not a member of the table, so that the bundle of a client that only appends or
 * queries does not contain the placement code.
 */
export function placementIn({ options }: { readonly options: ShardedTable }): Placement {
  const known = placements.get(options)
  if (known !== undefined) return known
  const placement = placementOf(options)
  placements.set(options, placement)
  return placement
}
