import { CopyButton } from '../format/copy-button'
import { figure, percent } from '../format/figures'
import { keyText } from '../format/redact'
import { cellAt, columnText } from './cell'
import type { Geometry, Place } from './geometry'
import type { ShownMap } from './grid'

interface TooltipProps {
  readonly of: ShownMap
  readonly geometry: Geometry
  readonly place: Place
  readonly isPinned: boolean
  readonly onClose: () => void
}

/** In a map of this width, a half has room for the tooltip. */
const ROOM_PIXELS = 440

/** The figures of a cell. Pinned, it stays, and its key can be copied. */
export function Tooltip({ of, geometry, place, isPinned, onClose }: TooltipProps) {
  const row = of.rows[place.row]
  if (row === undefined) return null
  const { peak, writes, reads, partitionThrottles, tableThrottles } = cellAt(of, place)
  const x = (place.column + 0.5) * geometry.columnWidth
  const y = (place.row + 1) * geometry.rowHeight
  const side = x > geometry.width / 2 ? { right: `${geometry.width - x + 12}px` } : { left: `${x + 12}px` }
  // A narrower map has room below the cell only.
  const corner = geometry.width < ROOM_PIXELS ? { right: '0' } : side
  return (
    <div
      class={`tooltip ${isPinned ? 'pinned' : ''}`}
      style={{ ...corner, top: `${y + 6}px` }}
      {...(isPinned ? { role: 'dialog', 'aria-label': 'Pinned cell' } : {})}
    >
      <strong>{keyText(row.label)}</strong>
      <span class="when">{columnText(of, place.column)}</span>
      <dl>
        <dt>hottest second</dt>
        <dd>{percent(peak)} of a partition</dd>
        <dt>writes</dt>
        <dd>{figure(writes)} units/s</dd>
        <dt>reads</dt>
        <dd>{figure(reads)} units/s</dd>
        {partitionThrottles > 0 && <Throttled by="partition" rate={partitionThrottles} />}
        {tableThrottles > 0 && <Throttled by="table" rate={tableThrottles} />}
        {row.keys > 1 && (
          <>
            <dt>keys in this row</dt>
            <dd>{figure(row.keys)}</dd>
          </>
        )}
      </dl>
      {isPinned && (
        <div class="actions">
          <CopyButton text={row.label} />
          <button type="button" onClick={onClose}>
            Unpin
          </button>
        </div>
      )}
    </div>
  )
}

function Throttled({ by, rate }: { readonly by: string; readonly rate: number }) {
  return (
    <>
      <dt class="hot">throttled by the {by}</dt>
      <dd class="hot">{figure(rate)} requests/s</dd>
    </>
  )
}
