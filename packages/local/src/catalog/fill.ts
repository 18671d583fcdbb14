import type { Clock } from '@isotherm/runtime'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { Change, OrderedMap, StoredItem } from '../storage/ordered-map.js'
import type { Awaitable, Storage } from '../storage/storage.js'

/** What is processed before other work gets its turn, and what one write holds at most. */
const MAX_ITEMS = 1000
const MAX_BYTES = 4 * 1024 * 1024

/** The source, the target and the pace of a backfill. */
export interface Filling {
  readonly items: OrderedMap
  readonly storage: Storage
  readonly clock: Clock
  /** Stops the backfill at once, even during a pause. */
  readonly signal: AbortSignal
  /**
   * When the backfill may continue, in milliseconds since the epoch. A chunk ends when that time is in the future.
   * Without it, the backfill never pauses.
   */
  readonly freeAt?: (() => number) | undefined
  /** The change that an item needs, if any, given the current state of the store. */
  readonly changeFor: (key: EncodedKey, stored: StoredItem) => Change | undefined
  /** Whether the backfill is obsolete. */
  readonly isStopped: () => boolean
}

/**
 * Backfills an index, or anything else that follows a table, from the table's items. New writes must already reach the
 * index before this begins. In memory, a table of up to one chunk is complete when this returns.
 */
export function fill(filling: Filling): Awaitable<void> {
  const { storage } = filling
  // Writes that are not durable yet would be missed: ranges do not show them yet, and they were made before the index.
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
  // The store may have been emptied while unsettled writes were awaited.
  while (from !== undefined && !filling.signal.aborted && !filling.isStopped()) {
    from = await fillChunk(filling, from)
    await pause(filling)
  }
}

function pause({ clock, freeAt, signal }: Filling): Promise<void> {
  const now = clock.now()
  return clock.sleep(Math.max(0, (freeAt?.() ?? now) - now), signal)
}

/**
 * Fills one chunk. Returns `undefined` when it completed the backfill at once. Otherwise the promise resolves to the
 * next key, or to `undefined` at the end.
 */
function fillChunk(filling: Filling, from: EncodedKey): Promise<EncodedKey | undefined> | undefined {
  const { items, storage, clock, freeAt, changeFor } = filling
  const changes: Change[] = []
  let looked = 0
  let bytes = 0
  let next: EncodedKey | undefined
  for (const [key] of items.range({ from, to: undefined })) {
    if (looked === MAX_ITEMS || bytes >= MAX_BYTES || (freeAt !== undefined && freeAt() > clock.now())) {
      next = key
      break
    }
    looked++
    const stored = items.latest(key)
    bytes += stored?.bytes ?? 0
    const change = stored === undefined ? undefined : changeFor(key, stored)
    if (change !== undefined) changes.push(change)
  }
  const written = changes.length === 0 ? undefined : storage.write(changes)
  if (written !== undefined) return written.then(() => next)
  return next === undefined ? undefined : Promise.resolve(next)
}
