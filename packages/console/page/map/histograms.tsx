import { useEffect, useRef } from 'preact/hooks'
import type { HeatMap, HeatMapRow } from '../../src/api/heat-map'
import { figure, percent } from '../format/figures'
import { theme } from '../state/theme'
import { SCALES } from './colour'
import type { Geometry } from './geometry'

const HEIGHT = 56

/** The traffic of the table above the map: accepted units by column, and throttled requests in red on top of them. */
export function ColumnHistogram({ of, geometry }: { readonly of: HeatMap; readonly geometry: Geometry }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { width } = geometry
  const { writes, reads } = of.totals
  const throttles = throttlesOf(of)
  const most = Math.max(1, ...writes.map((units, at) => units + (reads[at] ?? 0) + (throttles[at] ?? 0)))
  const current = theme.value
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (canvas.current === null || context === null || context === undefined) return
    const scale = devicePixelRatio
    canvas.current.width = Math.round(width * scale)
    canvas.current.height = HEIGHT * scale
    const { throttled, ramp } = SCALES[current]
    const column = canvas.current.width / of.columns
    for (let at = 0; at < of.columns; at++) {
      const accepted = ((writes[at] ?? 0) + (reads[at] ?? 0)) / most
      const refused = (throttles[at] ?? 0) / most
      const [x, end] = [Math.round(at * column), Math.round((at + 1) * column)]
      const bar = (from: number, share: number, colour: string) => {
        context.fillStyle = colour
        context.fillRect(x, Math.round((1 - from - share) * HEIGHT * scale), end - x, share * HEIGHT * scale)
      }
      bar(0, accepted, ramp[2] ?? '')
      bar(accepted, refused, throttled[0])
    }
  }, [of, width, most, current])
  return (
    <div class="column-histogram">
      <canvas
        ref={canvas}
        style={{ width: `${width}px`, height: `${HEIGHT}px` }}
        role="img"
        aria-label={`Traffic of the table: at most ${figure(most)} units and throttled requests a second`}
      />
      <span class="scale-top">{figure(most)}/s</span>
    </div>
  )
}

function throttlesOf({ totals, columns }: HeatMap): readonly number[] {
  const sum = new Array<number>(columns).fill(0)
  for (const counts of Object.values(totals.throttles)) {
    for (const [at, count] of counts.entries()) sum[at] = (sum[at] ?? 0) + count
  }
  return sum
}

/** The traffic of a row beside it, as a share of the largest row. */
export function RowBar({ row, most }: { readonly row: HeatMapRow; readonly most: number }) {
  const units = row.writeUnits + row.readUnits
  return (
    <span class="row-bar">
      <i style={{ width: `${Math.round((100 * units) / Math.max(1, most))}%` }} />
      <b class={row.throttles > 0 ? 'hot' : ''}>{percent(row.peak)}</b>
    </span>
  )
}
