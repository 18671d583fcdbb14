import { CELL, type HeatMap } from '../../src/api/heat-map'
import { clockTime, dayTime, duration, figure, percent } from '../format/figures'
import { keyText } from '../format/redact'
import { type Place, timeOf } from './geometry'
import type { ShownMap } from './grid'

/** The figures of a cell, for a second on average. */
export interface Cell {
  readonly peak: number
  readonly writes: number
  readonly reads: number
  readonly partitionThrottles: number
  readonly tableThrottles: number
}

export function cellAt({ grid }: ShownMap, { row, column }: Place): Cell {
  const number = (of: number) => grid.at(row, column, of)
  return {
    peak: number(CELL.peak),
    writes: number(CELL.writes),
    reads: number(CELL.reads),
    partitionThrottles: number(CELL.partitionThrottles),
    tableThrottles: number(CELL.tableThrottles),
  }
}

/** The span of a column, such as `14:03:10, 10 s`. */
export function columnText(of: HeatMap, column: number): string {
  const at = timeOf(of, column)
  return `${of.seconds >= 600 ? dayTime(at) : clockTime(at)}, ${duration(of.seconds)}`
}

/** A cell as a sentence, for screen readers. */
export function cellText(of: ShownMap, place: Place): string {
  const row = of.rows[place.row]
  if (row === undefined) return ''
  const { peak, writes, reads, partitionThrottles, tableThrottles } = cellAt(of, place)
  const parts = [`${keyText(row.label)}, ${columnText(of, place.column)}`]
  if (writes === 0 && reads === 0 && partitionThrottles === 0 && tableThrottles === 0)
    parts.push('no traffic')
  else
    parts.push(
      `${percent(peak)} of a partition`,
      `${figure(writes)} write and ${figure(reads)} read units a second`,
    )
  if (partitionThrottles > 0)
    parts.push(`${figure(partitionThrottles)} requests a second throttled by the partition`)
  if (tableThrottles > 0)
    parts.push(`${figure(tableThrottles)} requests a second throttled by the table's limit`)
  if (row.folds) parts.push(row.isOpen ? 'open, Space closes it' : `${row.keys} keys, Space opens it`)
  return parts.join('; ')
}
