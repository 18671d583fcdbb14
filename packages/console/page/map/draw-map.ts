import { CELL } from '../../src/api/heat-map'
import { type Palette, paletteOf, type Theme } from './colour'
import type { Geometry } from './geometry'
import type { ShownMap } from './grid'

/** One pixel a cell, which the browser enlarges. */
let cells: OffscreenCanvas | undefined

/**
 * Draws the cells of a map. No chart library draws 900,000 cells each second, so they are written as an image with a
 * pixel for each cell and enlarged in one step.
 */
export function drawMap(
  canvas: HTMLCanvasElement,
  map: ShownMap,
  geometry: Geometry,
  theme: Theme,
  isRelative: boolean,
): void {
  const { width, height, rowHeight } = geometry
  const scale = devicePixelRatio
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const context = canvas.getContext('2d')
  const { columns, rows } = map
  if (context === null || columns === 0 || rows.length === 0) return
  const hottest = isRelative ? Math.max(1, ...rows.map(({ peak }) => Math.min(100, peak))) : 100
  cells ??= new OffscreenCanvas(1, 1)
  cells.width = columns
  cells.height = rows.length
  const image = imageOf(map, paletteOf(theme, hottest))
  cells.getContext('2d')?.putImageData(image, 0, 0)
  context.imageSmoothingEnabled = false
  context.drawImage(cells, 0, 0, canvas.width, canvas.height)
  // Thin rows touch each other. Where there is room, a line between them helps the eye to follow one.
  if (rowHeight < 6) return
  for (let row = 1; row < rows.length; row++) {
    context.clearRect(0, Math.round(row * rowHeight * scale), canvas.width, Math.max(1, Math.round(scale)))
  }
}

function imageOf({ rows, columns, grid }: ShownMap, palette: Palette): ImageData {
  const image = new ImageData(columns, rows.length)
  const pixels = new Uint32Array(image.data.buffer)
  for (let row = 0, pixel = 0; row < rows.length; row++) {
    for (let column = 0; column < columns; column++, pixel++) {
      const peak = grid.at(row, column, CELL.peak)
      const partitionThrottles = grid.at(row, column, CELL.partitionThrottles)
      const tableThrottles = grid.at(row, column, CELL.tableThrottles)
      if (peak === 0 && partitionThrottles === 0 && tableThrottles === 0) continue
      pixels[pixel] = palette.of(peak, partitionThrottles, tableThrottles)
    }
  }
  return image
}
