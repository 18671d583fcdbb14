import { type ClosedFrame, OpenFrame } from './heat-frame.js'
import type { HeatLayerParameters } from './heat-parameters.js'
import type { KeyspaceHeat } from './keyspace-heat.js'

/** The frames of all tables and indexes during a span of time. */
export interface HeatColumn {
  /** When it begins, in milliseconds since the epoch. */
  readonly at: number
  readonly seconds: number
  readonly frames: ReadonlyMap<KeyspaceHeat, ClosedFrame>
}

/** The newest columns of one width. */
export class HeatLayer {
  readonly parameters: HeatLayerParameters
  readonly #next: HeatLayer | undefined
  readonly #onCells: (cells: number) => void
  readonly #columns: HeatColumn[] = []
  #openAt = Number.NEGATIVE_INFINITY
  #open = new Map<KeyspaceHeat, OpenFrame>()
  #cells = 0
  #completeFrom = Number.NEGATIVE_INFINITY

  /**
   * @param next the layer of wider columns, if there is one
   * @param onCells called with the number of cells that were added, or with a negative number of those that were removed
   */
  constructor(
    parameters: HeatLayerParameters,
    next: HeatLayer | undefined,
    onCells: (cells: number) => void,
  ) {
    this.parameters = parameters
    this.#next = next
    this.#onCells = onCells
  }

  get columns(): readonly HeatColumn[] {
    return this.#columns
  }

  get cells(): number {
    return this.#cells
  }

  /** The time from which it has everything that was recorded. */
  get completeFrom(): number {
    return this.#completeFrom
  }

  /** Adds a column of the finer layer. */
  merge(column: HeatColumn): void {
    const milliseconds = this.parameters.seconds * 1_000
    const at = Math.floor(column.at / milliseconds) * milliseconds
    if (at > this.#openAt) this.#close()
    this.#openAt = at
    for (const [keyspace, frame] of column.frames) {
      const open = this.#open.get(keyspace) ?? new OpenFrame()
      this.#open.set(keyspace, open)
      open.add(frame)
    }
  }

  /** Adds a complete column. */
  push(column: HeatColumn): void {
    this.#columns.push(column)
    this.#count(cellsOf(column))
    while (this.#columns.length > 1 && this.#isOld(this.#columns[0] as HeatColumn, column)) this.dropOldest()
    this.#next?.merge(column)
  }

  dropOldest(): void {
    const column = this.#columns.shift()
    if (column === undefined) return
    this.#completeFrom = column.at + column.seconds * 1_000
    this.#count(-cellsOf(column))
  }

  #close(): void {
    if (this.#open.size === 0) return
    const { seconds, keys } = this.parameters
    const frames = new Map([...this.#open].map(([keyspace, frame]) => [keyspace, frame.close(keys)]))
    this.#open = new Map()
    this.push({ at: this.#openAt, seconds, frames })
  }

  /** Columns without traffic are not stored, so age decides and not the number. */
  #isOld(column: HeatColumn, newest: HeatColumn): boolean {
    const { seconds, columns } = this.parameters
    return column.at <= newest.at - seconds * 1_000 * columns
  }

  #count(cells: number): void {
    this.#cells += cells
    this.#onCells(cells)
  }
}

function cellsOf({ frames }: HeatColumn): number {
  let cells = 0
  for (const frame of frames.values()) cells += frame.cells
  return cells
}
