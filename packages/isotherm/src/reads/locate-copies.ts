import type { ItemCall } from '../attempts/item-call.js'
import { type Answered, answered, type Stale } from '../attempts/outcome.js'
import type { SendingTable } from '../attempts/sending-table.js'
import type { ShardView } from '../protocol/index.js'
import type { ReadTable } from '../scaling/read-heat.js'
import { type Copy, type CopyRequest, fetchCopies } from './fetch-copies.js'

/**
 * Finds an item in any of its possible shards. Returns its copies in the order of these shards. If the item is being
 * moved, the last copy is the one in the target shard.
 *
 * @param looks the shards to read, in rounds
 */
export async function locateCopies(
  call: ItemCall<SendingTable & ReadTable>,
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
