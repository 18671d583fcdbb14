import type { HeatCell, HeatKey, HeatSpan, PartitionReport } from '@isotherm/local'
import type { HeatEvent, HeatMap, HeatMapRequest, HeatMapRow, HeatMapTotals } from '../api/heat-map.js'
import { RowCells, rounded } from './row-cells.js'
import { type PlannedRow, planRows } from './row-plan.js'

/** What a heat map is drawn from. */
export interface HeatMapSource {
  readonly span: HeatSpan
  /** The partitions that there are now. */
  readonly partitions: readonly PartitionReport[]
  readonly limit: { readonly writes: number; readonly reads: number }
  readonly events: readonly HeatEvent[]
  readonly now: number
}

/** Forms the rows of a heat map, and adds up their traffic by column. */
export function heatMap(source: HeatMapSource, request: HeatMapRequest): HeatMap {
  const { span, partitions, limit, events, now } = source
  const { from, to, seconds } = span
  const columns = Math.round((to - from) / (seconds * 1_000))
  const columnOf = (at: number) => Math.round((at - from) / (seconds * 1_000))
  const cellsFrom = Math.max(0, Math.min(columns, Math.floor((request.after - from) / (seconds * 1_000))))
  const wanted = { columns, seconds, cellsFrom }
  const weights = new Map<HeatKey, number>()
  const ids = new Set<number>()
  for (const { frame } of span.columns) {
    for (const [key, cell] of frame.keys) weights.set(key, (weights.get(key) ?? 0) + weightOf(cell))
    for (const [id] of frame.partitions) ids.add(id)
  }
  const plan = planRows(weights, ids, partitions, request)
  const rowsOfKey = new Map<HeatKey, RowCells[]>()
  const rowOfPartition = new Map<number, RowCells>()
  const planned = plan.map((row) => {
    const cells = new RowCells(wanted)
    if (row.partition !== undefined) rowOfPartition.set(row.partition, cells)
    else {
      for (const key of row.keys) {
        const known = rowsOfKey.get(key)
        if (known === undefined) rowsOfKey.set(key, [cells])
        else known.push(cells)
      }
    }
    return { row, cells }
  })
  const rest = new RowCells(wanted)
  // Rows take their cells in the order of the columns.
  for (const { at, frame } of [...span.columns].sort((a, b) => a.at - b.at)) {
    const column = columnOf(at)
    const left = sumOf(frame.partitions)
    for (const [key, cell] of frame.keys) {
      subtract(left, cell)
      for (const cells of rowsOfKey.get(key) ?? []) cells.add(column, cell)
    }
    for (const [id, cell] of frame.partitions) rowOfPartition.get(id)?.add(column, cell)
    left.peak = averageHeat(left, seconds, Math.max(1, partitions.length), limit)
    if (hasTraffic(left)) rest.add(column, left)
  }
  const rows = planned.map(({ row, cells }) => rowOf(row, cells))
  const isWhole = request.firstKey === undefined && request.lastKey === undefined
  if (request.by !== 'partition' && isWhole && !rest.isEmpty) rows.push(rowOf(REST, rest))
  return {
    version: 1,
    now,
    from,
    seconds,
    columns,
    delimiter: request.delimiter,
    limit,
    partitions: partitions.length,
    cellsFrom,
    totals: totalsOf(span, columns, columnOf),
    rows,
    events: events.filter(({ at }) => at >= from && at <= Math.max(to, now)),
  }
}

const REST: PlannedRow = {
  id: 'rest',
  kind: 'rest',
  label: 'all other keys',
  keys: [],
  depth: 0,
  folds: false,
  isOpen: false,
}

function rowOf({ id, kind, label, keys, depth, folds, isOpen }: PlannedRow, cells: RowCells): HeatMapRow {
  return { id, kind, label, keys: keys.length, depth, folds, isOpen, ...cells.figures() }
}

function totalsOf(
  { seconds, columns: filled }: HeatSpan,
  columns: number,
  columnOf: (at: number) => number,
): HeatMapTotals {
  const writes = new Array<number>(columns).fill(0)
  const reads = new Array<number>(columns).fill(0)
  const throttles: Record<string, number[]> = {}
  for (const { at, frame } of filled) {
    const column = columnOf(at)
    const sum = sumOf(frame.partitions)
    writes[column] = rounded(sum.writeUnits / seconds)
    reads[column] = rounded(sum.readUnits / seconds)
    for (const [reason, count] of frame.reasons) {
      throttles[reason] ??= new Array<number>(columns).fill(0)
      ;(throttles[reason] as number[])[column] = rounded(count / seconds)
    }
  }
  return { writes, reads, throttles }
}

/** A write unit weighs as three read units, and a throttled request as a write unit. */
function weightOf({ writeUnits, readUnits, partitionThrottles, tableThrottles }: HeatCell): number {
  return 3 * (writeUnits + partitionThrottles + tableThrottles) + readUnits
}

function averageHeat(
  { writeUnits, readUnits }: HeatCell,
  seconds: number,
  partitions: number,
  { writes, reads }: HeatMapSource['limit'],
): number {
  return Math.max(writeUnits / writes, readUnits / reads) / seconds / partitions
}

function sumOf(cells: Iterable<readonly [unknown, HeatCell]>): HeatCell {
  const sum = { writeUnits: 0, readUnits: 0, partitionThrottles: 0, tableThrottles: 0, peak: 0 }
  for (const [, cell] of cells) merge(sum, cell)
  return sum
}

function merge(sum: HeatCell, cell: HeatCell): void {
  sum.writeUnits += cell.writeUnits
  sum.readUnits += cell.readUnits
  sum.partitionThrottles += cell.partitionThrottles
  sum.tableThrottles += cell.tableThrottles
  sum.peak = Math.max(sum.peak, cell.peak)
}

function subtract(left: HeatCell, cell: HeatCell): void {
  left.writeUnits -= cell.writeUnits
  left.readUnits -= cell.readUnits
  left.partitionThrottles -= cell.partitionThrottles
  left.tableThrottles -= cell.tableThrottles
}

/** Less than a millionth of a unit is what rounding leaves. */
function hasTraffic(cell: HeatCell): boolean {
  return weightOf(cell) > 1e-6
}
