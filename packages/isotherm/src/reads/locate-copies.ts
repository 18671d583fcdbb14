import type { ShardedCall } from '../attempts/sharded-call.js'
import { placementIn } from '../placement/placement-in.js'
import type { ShardView } from '../shard-map/shard-view.js'
import { type Copy, type CopyRequest, fetchCopies } from './fetch-copies.js'

/**
 * The item, wherever it is: the copies of it in the order of its candidate places, so that the last one is where it
 * belongs if it was seen on its way.
 *
 * Where none of the places has it, those that items go to are asked once more: an item that was not at its old place at
 * one moment, and is not at the new one at a later moment, did not exist at some moment between. The answers of one
 * batch are not of one moment.
 */
export async function locateCopies(
  call: ShardedCall,
  view: ShardView,
  request: CopyRequest,
): Promise<readonly Copy[]> {
  const places = placementIn(call.table).candidates(view, request.key)
  const copies = await fetchCopies(call, view, request, places)
  const targets = targetsAmong(places, view)
  if (copies.length > 0 || targets.length === places.length) return copies
  return fetchCopies(call, view, request, targets)
}

/** Whether an item may be on its way from one of its places to another. */
export function mayBeOnItsWay(places: readonly number[], view: ShardView): boolean {
  return targetsAmong(places, view).length < places.length
}

/** The candidate places that items go to, not those that they leave. */
function targetsAmong(places: readonly number[], { shards, change }: ShardView): readonly number[] {
  if (change !== undefined) return places.slice(-1)
  return places.filter((shard) => shard <= shards)
}
