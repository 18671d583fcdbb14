import { CELL, type HeatMapRow } from '../api/heat-map.js'
import type { FindingPlace, ReadableMap } from './finding.js'
import type { AskedTraffic } from './shards-needed.js'

/** A pattern of the present is one of the last columns. */
const RECENT_SHARE = 0.1
const LEAST_RECENT = 3

/** A row with its latest figures. Rates are for a second, on average over the columns with traffic. */
export interface RecentRow extends AskedTraffic {
  readonly at: number
  readonly row: HeatMapRow
  readonly peak: number
  /** The columns in which it had traffic, of all. */
  readonly place: FindingPlace
}

const KINDS: ReadonlySet<HeatMapRow['kind']> = new Set(['key', 'partition', 'prefix'])

/** The first column of the present. */
export function presentOf({ columns }: ReadableMap): number {
  return columns - Math.max(LEAST_RECENT, Math.ceil(columns * RECENT_SHARE))
}

/** The rows of keys, partitions or prefixes, with their figures since a column. */
export function recentRows(map: ReadableMap): readonly RecentRow[] {
  const since = presentOf(map)
  return map.rows.flatMap((row, at) =>
    row.depth === 0 && KINDS.has(row.kind) ? [{ row, ...recent(map, at, since) }] : [],
  )
}

function recent({ grid, columns, totals }: ReadableMap, at: number, since: number): Omit<RecentRow, 'row'> {
  let [peak, writes, reads, throttles, filled] = [0, 0, 0, 0, 0]
  let [allWrites, allReads] = [0, 0]
  let [first, last] = [columns - 1, 0]
  for (let column = 0; column < columns; column++) {
    const number = (of: number) => grid.at(at, column, of)
    if (number(CELL.peak) === 0 && number(CELL.partitionThrottles) === 0) continue
    first = Math.min(first, column)
    last = column
    if (column < since) continue
    filled++
    peak = Math.max(peak, number(CELL.peak))
    writes += number(CELL.writes)
    reads += number(CELL.reads)
    throttles += number(CELL.partitionThrottles)
    allWrites += totals.writes[column] ?? 0
    allReads += totals.reads[column] ?? 0
  }
  const of = Math.max(1, filled)
  const place: FindingPlace = { rows: [at, at], columns: [Math.min(first, last), last] }
  return {
    at,
    peak,
    writes: writes / of,
    reads: reads / of,
    throttles: throttles / of,
    otherWrites: Math.max(0, allWrites - writes) / of,
    otherReads: Math.max(0, allReads - reads) / of,
    place,
  }
}
