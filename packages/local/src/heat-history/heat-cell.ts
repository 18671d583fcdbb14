/** The traffic of a partition or a key during a column. */
export interface HeatCell {
  /** Consumed write units. */
  writeUnits: number
  /** Consumed read units. */
  readUnits: number
  /** Requests throttled because the partition was at its limit. */
  partitionThrottles: number
  /** Requests throttled because the whole table, index or account was at its limit. */
  tableThrottles: number
  /** The hottest second: consumption as a share of what a partition serves. 1 is the limit of either kind of access. */
  peak: number
}

export function emptyCell(): HeatCell {
  return { writeUnits: 0, readUnits: 0, partitionThrottles: 0, tableThrottles: 0, peak: 0 }
}

/** Adds a cell of the same partition or key, of another time. */
export function addCell(sum: HeatCell, cell: HeatCell): void {
  sum.writeUnits += cell.writeUnits
  sum.readUnits += cell.readUnits
  sum.partitionThrottles += cell.partitionThrottles
  sum.tableThrottles += cell.tableThrottles
  sum.peak = Math.max(sum.peak, cell.peak)
}

/** The order in which keys are kept: what is throttled or at its peak comes first. A write weighs as three reads. */
export function weightOf({ writeUnits, readUnits, partitionThrottles, tableThrottles }: HeatCell): number {
  return 3 * (writeUnits + partitionThrottles + tableThrottles) + readUnits
}

/** The numbers of a cell in packed form. */
const WIDTH = 5

/** Many cells in one array, which takes a third of the memory of as many objects. */
export class PackedCells {
  readonly #numbers: Float64Array

  constructor(cells: readonly HeatCell[]) {
    this.#numbers = new Float64Array(cells.length * WIDTH)
    for (const [index, cell] of cells.entries()) {
      const { writeUnits, readUnits, partitionThrottles, tableThrottles, peak } = cell
      this.#numbers.set([writeUnits, readUnits, partitionThrottles, tableThrottles, peak], index * WIDTH)
    }
  }

  at(index: number): HeatCell {
    const from = index * WIDTH
    const numbers = this.#numbers
    // Read one by one: a view of the five numbers would cost more than all else.
    return {
      writeUnits: numbers[from] ?? 0,
      readUnits: numbers[from + 1] ?? 0,
      partitionThrottles: numbers[from + 2] ?? 0,
      tableThrottles: numbers[from + 3] ?? 0,
      peak: numbers[from + 4] ?? 0,
    }
  }
}
