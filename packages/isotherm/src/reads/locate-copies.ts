import type { ShardedCall } from '../attempts/sharded-call.js'
import type { ShardView } from '../protocol/index.js'
import { type Copy, type CopyRequest, fetchCopies } from './fetch-copies.js'

/**
 * The item, wherever it is: the copies of it in the order of its places, so that the last one is where it belongs if it was
 * seen on its way.
 *
 * @param looks the places, look after look
 */
export async function locateCopies(
  call: ShardedCall,
  view: ShardView,
  request: CopyRequest,
  looks: readonly (readonly number[])[],
): Promise<readonly Copy[]> {
  for (const places of /* mark: missing-item-is-sought-again */ looks) {
    const copies = await fetchCopies(call, view, request, places)
    if (copies.length > 0) return copies
  }
  return []
}
