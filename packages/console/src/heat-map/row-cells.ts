import type { HeatCell } from '@isotherm/local'
import type { HeatMapRow } from '../api/heat-map.js'

/** The sums of a row, by column, in one array: a map may have a million cells each second. */
export class RowCells {
  readonly #columns: number
  #numbers: Float64Array | undefined

  constructor(columns: number) {
    this.#columns = columns
  }

  get isEmpty(): boolean {
    return this.#numbers === undefined
  }

  add(column: number, cell: HeatCell): void {
    if (column < 0 || column >= this.#columns) return
    this.#numbers ??= new Float64Array(this.#columns * WIDTH)
    const numbers = this.#numbers
    const at = column * WIDTH
    numbers[at] = (numbers[at] ?? 0) + cell.writeUnits
    numbers[at + 1] = (numbers[at + 1] ?? 0) + cell.readUnits
    numbers[at + 2] = (numbers[at + 2] ?? 0) + cell.partitionThrottles
    numbers[at + 3] = (numbers[at + 3] ?? 0) + cell.tableThrottles
    numbers[at + 4] = Math.max(numbers[at + 4] ?? 0, cell.peak)
    numbers[at + 5] = 1
  }

  /** The figures of a row. @param seconds the width of a column @param cellsFrom the first column whose cells are wanted */
  figures(
    seconds: number,
    cellsFrom: number,
  ): Pick<HeatMapRow, 'writeUnits' | 'readUnits' | 'throttles' | 'peak' | 'cells'> {
    const numbers = this.#numbers ?? new Float64Array(0)
    let [writeUnits, readUnits, throttles, peak] = [0, 0, 0, 0]
    const cells: number[] = []
    for (let at = 0; at < numbers.length; at += WIDTH) {
      if (numbers[at + 5] !== 1) continue
      const [writes, reads] = [numbers[at] ?? 0, numbers[at + 1] ?? 0]
      const [byPartition, byTable, hottest] = [
        numbers[at + 2] ?? 0,
        numbers[at + 3] ?? 0,
        numbers[at + 4] ?? 0,
      ]
      writeUnits += writes
      readUnits += reads
      throttles += byPartition + byTable
      peak = Math.max(peak, hottest)
      const column = at / WIDTH
      if (column < cellsFrom) continue
      cells.push(column, rounded(hottest * 100), rounded(writes / seconds), rounded(reads / seconds))
      cells.push(rounded(byPartition / seconds), rounded(byTable / seconds))
    }
    return { writeUnits, readUnits, throttles, peak: rounded(peak * 100), cells }
  }
}

/** Write units, read units, the two kinds of throttles, the peak, and whether there is traffic. */
const WIDTH = 6

export function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
