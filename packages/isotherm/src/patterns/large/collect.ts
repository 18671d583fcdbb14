import { beginningOf, type Content } from './content.js'
import { JOURNAL_KEYS, type Journal, type JournalEntry } from './journal.js'
import type { ParsedLargeOptions } from './large-options.js'
import type { Pieces } from './pieces.js'

/** What a collection has done so far. */
export interface CollectProgress {
  /** Contents without a reference whose pieces were deleted. */
  readonly contents: number
  /** The pieces of these contents. */
  readonly pieces: number
  /** Of the journal's keys, those that have been looked through. */
  readonly journalKeys: number
}

export interface Collecting {
  readonly olderThanMilliseconds: number
  readonly maxContents: number
  readonly onProgress: ((progress: CollectProgress) => void) | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * Deletes the pieces of contents that no item refers to.
 *
 * A content whose put may still commit is fenced first: the put fails then. Its entry stays in the journal until the next collection, which
 * deletes its pieces once more, because a request that was under way may have written one of them again.
 */
export async function collectContents(
  journal: Journal,
  pieces: Pieces,
  { clock }: ParsedLargeOptions,
  { olderThanMilliseconds, maxContents, onProgress, signal }: Collecting,
): Promise<CollectProgress> {
  const before = clock.now() - olderThanMilliseconds
  let progress: CollectProgress = { contents: 0, pieces: 0, journalKeys: 0 }
  for (let key = 0; key < JOURNAL_KEYS; key++) {
    let after: string | undefined
    do {
      const page = await journal.page(key, before, after, signal)
      for (const entry of page.entries) {
        if (progress.contents >= maxContents) return progress
        signal?.throwIfAborted()
        // mark: collector-fences-first
        if (!(await journal.fence(entry, clock.now()))) continue
        await pieces.delete(entry.content, signal)
        if (isFinal(entry)) await journal.forget(entry.content)
        const { contents, pieces: deleted } = progress
        progress = { ...progress, contents: contents + 1, pieces: deleted + entry.content.pieces }
        onProgress?.(progress)
      }
      after = page.last
    } while (after !== undefined)
    progress = { ...progress, journalKeys: key + 1 }
  }
  return progress
}

/** All its writers have come to their end by now: it was written as a whole, or it was fenced long ago. */
function isFinal({ state }: JournalEntry): boolean {
  return state !== 'writing'
}

/**
 * Deletes the pieces of a content that this process has just replaced or given up. The entry is kept while a late request may write a
 * piece again; a collection deletes it then.
 */
export async function discard(
  journal: Journal,
  pieces: Pieces,
  { clock, writeMilliseconds }: ParsedLargeOptions,
  content: Content,
): Promise<void> {
  await pieces.delete(content)
  if (clock.now() - beginningOf(content) > 2 * writeMilliseconds) await journal.forget(content)
}
