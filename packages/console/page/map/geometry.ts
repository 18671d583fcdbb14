import type { HeatMap } from '../../src/api/heat-map'
import type { Density } from '../state/view'

export const ROW_HEIGHTS: Readonly<Record<Density, number>> = { labels: 20, compact: 6, dense: 2 }

/** A cell, by the numbers of its row and column. */
export interface Place {
  readonly row: number
  readonly column: number
}

/** Where the cells of a map are, in CSS pixels. */
export interface Geometry {
  readonly width: number
  readonly height: number
  readonly rowHeight: number
  readonly columnWidth: number
}

export function geometryOf({ rows, columns }: HeatMap, width: number, density: Density): Geometry {
  const rowHeight = ROW_HEIGHTS[density]
  return { width, height: rowHeight * rows.length, rowHeight, columnWidth: width / columns }
}

/** The cell at a point, or the nearest one. */
export function placeAt({ rowHeight, columnWidth }: Geometry, of: HeatMap, x: number, y: number): Place {
  const clamp = (value: number, count: number) => Math.max(0, Math.min(count - 1, Math.floor(value)))
  return { row: clamp(y / rowHeight, of.rows.length), column: clamp(x / columnWidth, of.columns) }
}

/** When a column begins, in milliseconds since the epoch. */
export function timeOf({ from, seconds }: HeatMap, column: number): number {
  return from + column * seconds * 1_000
}

/** The column of a time, which may lie between two columns. */
export function columnOf({ from, seconds }: HeatMap, at: number): number {
  return (at - from) / (seconds * 1_000)
}
