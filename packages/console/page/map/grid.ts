import { CELL, CELL_WIDTH, type HeatMap } from '../../src/api/heat-map'

/** The numbers of a cell besides its column. */
const NUMBERS = CELL_WIDTH - 1

/** The cells of a map in one array, so that a map moves on by a column without a look at each of its cells. */
export class Grid {
  readonly columns: number
  readonly #numbers: Float32Array

  private constructor(columns: number, numbers: Float32Array) {
    this.columns = columns
    this.#numbers = numbers
  }

  static of({ rows, columns }: HeatMap): Grid {
    const grid = new Grid(columns, new Float32Array(rows.length * columns * NUMBERS))
    grid.#fill(rows)
    return grid
  }

  /**
   * The cells after an update that has the newest columns only. The array is used again.
   * @returns `undefined` if the update has other rows or columns, so that all cells are needed
   */
  movedTo(update: HeatMap, before: HeatMap): Grid | undefined {
    const { rows, columns, seconds, from, cellsFrom } = update
    const shift = Math.round((from - before.from) / (seconds * 1_000))
    const isSame =
      seconds === before.seconds &&
      columns === before.columns &&
      shift >= 0 &&
      cellsFrom <= columns - shift &&
      rows.length === before.rows.length &&
      rows.every(({ id, keys }, at) => id === before.rows[at]?.id && keys === before.rows[at]?.keys)
    if (!isSame) return undefined
    const width = columns * NUMBERS
    for (const row of rows.keys()) {
      const begin = row * width
      this.#numbers.copyWithin(begin, begin + shift * NUMBERS, begin + width)
      this.#numbers.fill(0, begin + cellsFrom * NUMBERS, begin + width)
    }
    this.#fill(rows)
    return new Grid(columns, this.#numbers)
  }

  /** One of the numbers of a cell, such as `CELL.peak`. */
  at(row: number, column: number, number: number): number {
    return this.#numbers[(row * this.columns + column) * NUMBERS + number - 1] ?? 0
  }

  #fill(rows: HeatMap['rows']): void {
    for (const [row, { cells }] of rows.entries()) {
      for (let at = 0; at < cells.length; at += CELL_WIDTH) {
        const to = (row * this.columns + (cells[at + CELL.column] ?? 0)) * NUMBERS
        for (let number = 1; number < CELL_WIDTH; number++) {
          this.#numbers[to + number - 1] = cells[at + number] ?? 0
        }
      }
    }
  }
}

/** A map with its cells. */
export interface ShownMap extends HeatMap {
  readonly grid: Grid
}
