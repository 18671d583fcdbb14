import type { HeatMap } from '../../src/api/heat-map'
import { figure } from '../format/figures'
import { keyText } from '../format/redact'
import type { Geometry } from './geometry'
import { RowBar } from './histograms'

/** Text needs this much height. In thinner rows, the tooltip has the key. */
const TEXT_PIXELS = 14

interface RowLabelsProps {
  readonly of: HeatMap
  readonly geometry: Geometry
  readonly onOpen: (row: number) => void
}

/** The keys on the left of the map and their traffic, with a button at each row that opens. */
export function RowLabels({ of, geometry, onOpen }: RowLabelsProps) {
  if (geometry.rowHeight < TEXT_PIXELS) {
    return (
      <div class="row-labels thin" style={{ height: `${geometry.height}px` }}>
        <span>{figure(of.rows.length)} rows. Point at one to see its key.</span>
      </div>
    )
  }
  const most = Math.max(
    ...of.rows.filter(({ depth }) => depth === 0).map(({ writeUnits, readUnits }) => writeUnits + readUnits),
  )
  return (
    <ul class="row-labels" aria-label="Rows of the heat map">
      {of.rows.map((row, at) => (
        <li
          key={row.id}
          class={`row ${row.kind} depth-${row.depth}`}
          style={{ height: `${geometry.rowHeight}px` }}
        >
          {row.folds ? (
            <button
              type="button"
              class="fold"
              aria-expanded={row.isOpen}
              aria-label={`${row.isOpen ? 'Close' : 'Open'} ${keyText(row.label)}, ${row.keys} ${row.kind === 'key' ? 'shards' : 'keys'}`}
              onClick={() => onOpen(at)}
            >
              {row.isOpen ? '▾' : '▸'}
            </button>
          ) : (
            <span class="fold" />
          )}
          <span class="label" title={keyText(row.label)}>
            {row.kind === 'range' ? `${figure(row.keys)} keys: ` : ''}
            {keyText(row.label)}
            {row.kind === 'key' && row.keys > 1 && <em> {row.keys} shards</em>}
          </span>
          <RowBar row={row} most={most} />
        </li>
      ))}
    </ul>
  )
}
