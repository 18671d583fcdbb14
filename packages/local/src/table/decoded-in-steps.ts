import type { StoredItem } from '../storage/ordered-map.js'
import { isFromDisk } from './printed-item.js'

/** Decoding items of 16 MB takes hundreds of milliseconds, and of so many bytes a few. */
export const DECODED_BYTES_PER_TURN = 256 * 1024

/**
 * Decodes items that were read at one moment. Those from disk hold what was stored then, however late they are decoded, so other requests may be
 * served between two steps.
 *
 * @param answer makes the answer of the decoded items
 */
export function* decodedInSteps<Answer>(
  items: readonly (StoredItem | undefined)[],
  answer: () => Answer,
): Generator<undefined, Answer, undefined> {
  let bytes = 0
  for (const stored of items) {
    if (stored === undefined || !isFromDisk(stored)) continue
    if (bytes > DECODED_BYTES_PER_TURN) {
      yield
      bytes = 0
    }
    bytes += decodedBytes(stored)
  }
  return answer()
}

/** Reading the item of one from disk decodes it, and it keeps the result. @returns its size */
function decodedBytes({ item, bytes }: StoredItem): number {
  return item === undefined ? 0 : bytes
}
