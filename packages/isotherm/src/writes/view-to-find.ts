import type { LogicalKey } from '../keys/key.js'
import type { CountedTable } from '../protocol/shard-map/counted-table.js'
import type { ShardView } from '../protocol/states/shard-view.js'

/**
 * What a write goes by that has to find its item.
 *
 * An item of a random key may be in a shard that another process has added since this one last asked: a deletion that does not
 * look there answers that all is well and leaves the item, so the shard map is read consistently. With a calculated
 * suffix the cached view will do, as long as it may be used: no place is used before every process looks at it.
 */
export async function viewToFind(
  { views, placementKind }: CountedTable,
  key: LogicalKey,
): Promise<ShardView> {
  const view = await views.forWrite(key)
  return placementKind === 'random' ? views.forRead(key, { consistent: true }) : view
}
