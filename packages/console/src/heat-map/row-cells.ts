import type { HeatCell } from '@isotherm/local'
import type { HeatMapRow } from '../api/heat-map.js'

/** Which cells of a row are wanted, in columns of which width. */
export interface WantedCells {
  readonly columns: number
  /** The width of a column. */
  readonly seconds: number
  /** The first column whose cells are wanted. The sums are of all columns. */
  readonly cellsFrom: number
}

/**
 * The sums of a row, and its cells. Columns come in their order, so that one cell at a time is open: a row has no array of all
 * columns, of which an update wants one or two.
 */
export class RowCells {
  readonly #wanted: WantedCells
  readonly #cells: number[] = []
  #writeUnits = 0
  #readUnits = 0
  #throttles = 0
  #peak = 0
  #column = -1
  #open: HeatCell = { writeUnits: 0, readUnits: 0, partitionThrottles: 0, tableThrottles: 0, peak: 0 }

  constructor(wanted: WantedCells) {
    this.#wanted = wanted
  }

  get isEmpty(): boolean {
    return this.#column < 0
  }

  /** @param column not before that of the last call */
  add(column: number, cell: HeatCell): void {
    if (column < 0 || column >= this.#wanted.columns) return
    if (column < this.#column) throw new Error(`Column ${column} comes after column ${this.#column}.`)
    const { writeUnits, readUnits, partitionThrottles, tableThrottles, peak } = cell
    this.#writeUnits += writeUnits
    this.#readUnits += readUnits
    this.#throttles += partitionThrottles + tableThrottles
    if (peak > this.#peak) this.#peak = peak
    if (column !== this.#column) {
      this.#close()
      this.#column = column
    }
    if (column < this.#wanted.cellsFrom) return
    const open = this.#open
    open.writeUnits += writeUnits
    open.readUnits += readUnits
    open.partitionThrottles += partitionThrottles
    open.tableThrottles += tableThrottles
    if (peak > open.peak) open.peak = peak
  }

  /** The figures of the row, after its last cell. */
  figures(): Pick<HeatMapRow, 'writeUnits' | 'readUnits' | 'throttles' | 'peak' | 'cells'> {
    this.#close()
    return {
      writeUnits: this.#writeUnits,
      readUnits: this.#readUnits,
      throttles: this.#throttles,
      peak: rounded(this.#peak * 100),
      cells: this.#cells,
    }
  }

  #close(): void {
    const { cellsFrom, seconds } = this.#wanted
    if (this.#column < 0 || this.#column < cellsFrom) return
    const { writeUnits, readUnits, partitionThrottles, tableThrottles, peak } = this.#open
    this.#cells.push(
      this.#column,
      rounded(peak * 100),
      rounded(writeUnits / seconds),
      rounded(readUnits / seconds),
      rounded(partitionThrottles / seconds),
      rounded(tableThrottles / seconds),
    )
    this.#open = { writeUnits: 0, readUnits: 0, partitionThrottles: 0, tableThrottles: 0, peak: 0 }
  }
}

export function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
