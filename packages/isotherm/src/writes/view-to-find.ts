import type { LogicalKey } from '../keys/key.js'
import type { CountedTable, ShardView } from '../protocol/index.js'

/**
 * The view of the shard map for a write that must find its item.
 *
 * An item of a random key may be in a shard that another process has added recently. A delete that does not look there
 * would report success and leave the item, so the shard map is read consistently. With a calculated suffix, a cached
 * view is sufficient while it is valid, because no shard is used before every process reads it.
 */
export function viewToFind(
  { views, placementKind }: CountedTable,
  key: LogicalKey,
): ShardView | Promise<ShardView> {
  return placementKind === 'random' ? views.forRead(key, { consistent: true }) : views.forWrite(key)
}
