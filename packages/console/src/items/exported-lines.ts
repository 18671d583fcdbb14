import type { PageStart, ReadPage } from './item-pages.js'
import type { LongWork } from './purge-table.js'

/** The page has the file in memory until it is saved. */
export const MAX_EXPORT_BYTES = 512 * 1024 * 1024

/** An export. Its parts are lines of DynamoDB JSON, which `isotherm import` reads. */
export interface ExportedLines {
  readonly parts: readonly string[]
  readonly items: number
  /** Whether items are missing, because the file would have become too large. */
  readonly isCut: boolean
}

/** Reads all pages as lines of a file. */
export async function exportedLines(
  read: ReadPage,
  { signal, onProgress }: Pick<LongWork, 'signal' | 'onProgress'>,
): Promise<ExportedLines> {
  const parts: string[] = []
  let [items, bytes] = [0, 0]
  let start: PageStart | undefined
  for (;;) {
    signal.throwIfAborted()
    const page = await read(start, signal)
    const part = page.items.map(({ item }) => `${JSON.stringify({ Item: item })}\n`).join('')
    parts.push(part)
    items += page.items.length
    bytes += part.length
    onProgress(items)
    start = page.next
    if (start === undefined) return { parts, items, isCut: false }
    if (bytes > MAX_EXPORT_BYTES) return { parts, items, isCut: true }
  }
}
