import { useEffect, useRef, useState } from 'preact/hooks'
import { exportedLines, MAX_EXPORT_BYTES } from '../../src/items/exported-lines'
import type { FoundItem, ReadPage } from '../../src/items/item-pages'
import { bytesText, figure } from '../format/figures'
import { messageOf } from '../state/message-of'

interface ExportButtonsProps {
  readonly table: string
  /** The items that are shown. */
  readonly found: readonly FoundItem[]
  /** Reads all items of the query, in large pages. */
  readonly reader: () => Promise<ReadPage>
}

/** Saves the items of the page, or of all pages, as lines that `isotherm import` reads. */
export function ExportButtons({ table, found, reader }: ExportButtonsProps) {
  const [state, setState] = useState<string | undefined>()
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => running.current?.abort(new Error('The page was left.')), [])
  const exportAll = async () => {
    const work = new AbortController()
    running.current = work
    setState('Exporting …')
    try {
      const read = await reader()
      const { parts, items, isCut } = await exportedLines(read, {
        signal: work.signal,
        onProgress: (count) => setState(`Exporting: ${figure(count)} items`),
      })
      save(table, parts)
      const cut = ` The file ends at ${bytesText(MAX_EXPORT_BYTES)}: use isotherm export for the whole table.`
      setState(`${figure(items)} items exported.${isCut ? cut : ''}`)
    } catch (error) {
      setState(work.signal.aborted ? 'The export was cancelled.' : messageOf(error))
    } finally {
      if (running.current === work) running.current = undefined
    }
  }
  return (
    <>
      <button type="button" onClick={() => save(table, [linesOf(found)])} disabled={found.length === 0}>
        Export page
      </button>
      {running.current === undefined ? (
        <button type="button" onClick={exportAll} disabled={found.length === 0}>
          Export all pages
        </button>
      ) : (
        <button type="button" onClick={() => running.current?.abort(new Error('cancelled'))}>
          Cancel the export
        </button>
      )}
      <span role="status" class="export-state">
        {state}
      </span>
    </>
  )
}

function linesOf(found: readonly FoundItem[]): string {
  return found.map(({ item }) => `${JSON.stringify({ Item: item })}\n`).join('')
}

function save(table: string, parts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: 'application/x-ndjson' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${table}.jsonl`
  link.click()
  URL.revokeObjectURL(url)
}
