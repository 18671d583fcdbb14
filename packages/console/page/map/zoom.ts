import type { HeatMap } from '../../src/api/heat-map'
import { show } from '../state/view'
import { type Place, timeOf } from './geometry'

/** A second has one column and nothing finer. */
const LEAST_MILLISECONDS = 5_000

/** Shows the columns between two places, and their keys where rows are keys. */
export function zoomTo(of: HeatMap, a: Place, b: Place, byKey: boolean): void {
  const [first, last] = [Math.min(a.column, b.column), Math.max(a.column, b.column)]
  const span = { from: timeOf(of, first), to: timeOf(of, last + 1) }
  const rows = of.rows.slice(Math.min(a.row, b.row), Math.max(a.row, b.row) + 1)
  const labels = rows.filter(({ kind }) => kind === 'key' || kind === 'range').map(({ label }) => label)
  const [firstKey, lastKey] = [labels[0]?.split(' … ')[0], labels.at(-1)?.split(' … ').at(-1)]
  const keys = byKey && rows.length < of.rows.length ? { firstKey, lastKey } : {}
  show({ ...wide(span), ...keys }, true)
}

/** Zooms around a column. @param factor below 1 to see less time */
export function zoomBy(of: HeatMap, column: number, factor: number): void {
  const [begin, length] = [of.from, of.seconds * of.columns * 1_000]
  const share = column / of.columns
  const wanted = length * factor
  const from = begin + share * (length - wanted)
  const to = Math.min(of.now, from + wanted)
  show(wide({ from, to }))
}

function wide({ from, to }: { readonly from: number; readonly to: number }) {
  return to - from >= LEAST_MILLISECONDS ? { from, to } : { from: to - LEAST_MILLISECONDS, to }
}
