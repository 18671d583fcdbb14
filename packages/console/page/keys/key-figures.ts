import { CELL, type HeatMapRow } from '../../src/api/heat-map'
import { rowNeed } from '../../src/findings/row-need'
import type { ShardNeed } from '../../src/findings/shards-needed'
import type { ShownMap } from '../map/grid'

/** The figures of a row in the span. */
export interface KeyFigures {
  readonly row: HeatMapRow
  /** Of the table's units, in percent. */
  readonly share: number
  /** How much larger the share can be, in percent of the table's units. */
  readonly shareError: number
  readonly peak: number
  readonly writes: number
  readonly reads: number
  readonly throttles: number
  readonly shards: number
  readonly needed: number
  /** What that is for: the traffic of the column in which it asked for most. */
  readonly need: ShardNeed
}

/** The figures of all rows that are neither ranges nor the rest. */
export function keyFigures(of: ShownMap): readonly KeyFigures[] {
  const { rows, columns, seconds } = of
  const span = columns * seconds
  const all = rows.filter(({ depth }) => depth === 0).reduce((sum, row) => sum + unitsOf(row), 0)
  const shareOf = (units: number) => (all === 0 ? 0 : (100 * units) / all)
  const rest = rows.findIndex(({ kind }) => kind === 'rest')
  return rows.flatMap((row, at): readonly KeyFigures[] => {
    if (row.depth !== 0 || row.kind === 'range' || row.kind === 'rest') return []
    const need = rowNeed(of, at)
    return [
      {
        row,
        share: shareOf(unitsOf(row)),
        shareError: rest < 0 ? 0 : shareOf(unrecordedUnits(of, at, rest)),
        peak: row.peak,
        writes: row.writeUnits / span,
        reads: row.readUnits / span,
        throttles: row.throttles,
        shards: row.keys,
        needed: need.shards,
        need,
      },
    ]
  })
}

/**
 * Units that may be the row's own: those of the rest in columns in which the row was not recorded. In columns of more than a
 * second, it may have been recorded in some of the seconds.
 */
function unrecordedUnits({ grid, columns, seconds }: ShownMap, at: number, rest: number): number {
  let units = 0
  for (let column = 0; column < columns; column++) {
    const isRecorded = grid.at(at, column, CELL.peak) > 0 || grid.at(at, column, CELL.partitionThrottles) > 0
    if (isRecorded && seconds === 1) continue
    units += seconds * (grid.at(rest, column, CELL.writes) + grid.at(rest, column, CELL.reads))
  }
  return units
}

function unitsOf({ writeUnits, readUnits }: HeatMapRow): number {
  return writeUnits + readUnits
}
