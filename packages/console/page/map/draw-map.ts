import { CELL, CELL_WIDTH, type HeatMap } from '../../src/api/heat-map'
import { type Palette, paletteOf, type Theme } from './colour'
import type { Geometry } from './geometry'

/** One pixel a cell, which the browser enlarges. */
let cells: OffscreenCanvas | undefined

/**
 * Draws the cells of a map. No chart library draws 900,000 cells each second, so they are written as an image with a
 * pixel for each cell and enlarged in one step.
 */
export function drawMap(
  canvas: HTMLCanvasElement,
  map: HeatMap,
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

function imageOf({ rows, columns }: HeatMap, palette: Palette): ImageData {
  const image = new ImageData(columns, rows.length)
  const { data } = image
  for (const [index, { cells: numbers }] of rows.entries()) {
    for (let at = 0; at < numbers.length; at += CELL_WIDTH) {
      const number = (offset: number) => numbers[at + offset] ?? 0
      const [red, green, blue] = palette.of(
        number(CELL.peak),
        number(CELL.partitionThrottles),
        number(CELL.tableThrottles),
      )
      const pixel = 4 * (index * columns + number(CELL.column))
      data[pixel] = red
      data[pixel + 1] = green
      data[pixel + 2] = blue
      data[pixel + 3] = 255
    }
  }
  return image
}
