import type { Clock } from '@isotherm/runtime'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { Awaitable, Change, OrderedMap, Storage, StoredItem } from '../storage/storage.js'

/** Items looked at in one go, before others get their turn. */
const CHUNK = 1000

/** What fills something from the items of a table. */
export interface Filling {
  readonly items: OrderedMap
  readonly storage: Storage
  readonly clock: Clock
  /** Ends the filling at once, however long the next pause is. */
  readonly signal: AbortSignal
  /** When more may be filled, in milliseconds since the epoch: a chunk ends when that is not now. Without it, always. */
  readonly freeAt?: (() => number) | undefined
  /** The change an item asks for, if any, given what is there at this moment. */
  readonly changeFor: (key: EncodedKey, stored: StoredItem) => Change | undefined
  /** Whether nobody needs it any more. */
  readonly isStopped: () => boolean
}

/**
 * Fills an index, or another thing that follows a table, from what the table holds already. New writes must reach it
 * before this begins. A table of one chunk is done before this returns, if the store is in memory.
 */
export function fill(filling: Filling): Awaitable<void> {
  const { storage } = filling
  // What is on its way to the disk would be missed: it is not in the range yet, and was written before.
  const unsettled = storage.settled()
  if (unsettled !== undefined) return unsettled.then(() => fillFrom(filling, '' as EncodedKey))
  const next = fillChunk(filling, '' as EncodedKey)
  return next?.then(async (from) => {
    await pause(filling)
    if (from !== undefined) await fillFrom(filling, from)
  })
}

async function fillFrom(filling: Filling, start: EncodedKey): Promise<void> {
  let from: EncodedKey | undefined = start
  while (from !== undefined && !filling.isStopped()) {
    from = await fillChunk(filling, from)
    await pause(filling)
  }
}

function pause({ clock, freeAt, signal }: Filling): Promise<void> {
  const now = clock.now()
  return clock.sleep(Math.max(0, (freeAt?.() ?? now) - now), signal)
}

/** Fills one chunk. Nothing when that was all, and all was done at once; otherwise where to go on, or nothing. */
function fillChunk(filling: Filling, from: EncodedKey): Promise<EncodedKey | undefined> | undefined {
  const { items, storage, clock, freeAt, changeFor } = filling
  const changes: Change[] = []
  let looked = 0
  let next: EncodedKey | undefined
  for (const [key] of items.range({ from, to: undefined })) {
    if (looked === CHUNK || (freeAt !== undefined && freeAt() > clock.now())) {
      next = key
      break
    }
    looked++
    const stored = items.latest(key)
    const change = stored === undefined ? undefined : changeFor(key, stored)
    if (change !== undefined) changes.push(change)
  }
  const written = changes.length === 0 ? undefined : storage.write(changes)
  if (written !== undefined) return written.then(() => next)
  return next === undefined ? undefined : Promise.resolve(next)
}
