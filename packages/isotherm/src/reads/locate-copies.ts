import type { ItemCall } from '../attempts/item-call.js'
import { type Answered, answered, type Stale } from '../attempts/outcome.js'
import type { ShardView } from '../protocol/index.js'
import { type Copy, type CopyRequest, fetchCopies } from './fetch-copies.js'

/**
 * The item, wherever it is: the copies of it in the order of its places, so that the last one is where it belongs if it was
 * seen on its way.
 *
 * @param looks the places, look after look
 */
export async function locateCopies(
  call: ItemCall,
  view: ShardView,
  request: CopyRequest,
  looks: readonly (readonly number[])[],
): Promise<Answered<readonly Copy[]> | Stale> {
  for (const places of /* mark: missing-item-is-sought-again */ looks) {
    const copies = await fetchCopies(call, view, request, places)
    if (copies.kind === 'stale' || copies.output.length > 0) return copies
  }
  return answered([])
}
