import type { ItemKey } from '../../keys/item-key.js'
import type { KeyedTable } from '../../keys/keyed-table.js'
import type { ShardView } from '../states/shard-view.js'
import { placementIn } from './placement-in.js'

/**
 * Returns the shards in which the item may be stored: those of its placement whose stored keys are short enough for DynamoDB. A long key
 * may have room for its first shards only. If it has none at all, returns every shard of the placement, and the request is refused when
 * its stored key is made.
 *
 * @param creates whether the request creates the item if it is missing
 * @throws IsothermError `key.too-long` if it creates, the suffix is calculated, and the home of the item has no room
 */
export function possibleShards(
  table: Pick<KeyedTable, 'options' | 'suffix'>,
  view: ShardView,
  key: ItemKey,
  creates = false,
): readonly number[] {
  const placement = placementIn(table)
  const candidates = placement.candidates(view, key)
  if (candidates.length === 1) return candidates
  const possible = candidates.filter((shard) => table.suffix.hasRoom(key.logical, shard))
  if (possible.length === candidates.length || possible.length === 0) return candidates
  // Without its home, an item with a calculated suffix would be created at a place that items leave, and that is soon read no more. With a
  // random one, every shard is read.
  if (creates && table.options.suffix !== 'random') table.suffix.add(key.logical, placement.home(view, key))
  return possible
}

/**
 * Returns the shard for a request whose item is missing: its home. A long key may have no room for its home. Then it is the shard to
 * which items move last. A check or a delete of a missing item has the same result in every shard.
 */
export function homeAmong(possible: readonly number[], home: number): number {
  return possible.includes(home) ? home : (possible.at(-1) ?? home)
}
