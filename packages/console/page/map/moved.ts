import type { HeatMap } from '../../src/api/heat-map'
import type { Place } from './geometry'

/** Where a key of the keyboard leads from a cell, if it leads anywhere. */
export function moved(key: string, { row, column }: Place, { rows, columns }: HeatMap): Place | undefined {
  const clamp = (value: number, count: number) => Math.max(0, Math.min(count - 1, value))
  const to = (down: number, right: number) => ({
    row: clamp(row + down, rows.length),
    column: clamp(column + right, columns),
  })
  switch (key) {
    case 'ArrowUp':
      return to(-1, 0)
    case 'ArrowDown':
      return to(1, 0)
    case 'ArrowLeft':
      return to(0, -1)
    case 'ArrowRight':
      return to(0, 1)
    case 'PageUp':
      return to(0, -10)
    case 'PageDown':
      return to(0, 10)
    case 'Home':
      return { row, column: 0 }
    case 'End':
      return { row, column: columns - 1 }
    default:
      return undefined
  }
}
