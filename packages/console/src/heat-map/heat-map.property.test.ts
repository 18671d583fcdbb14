import type { HeatCell, HeatFrame, HeatKey, HeatSpan } from '@isotherm/local'
import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { CELL, CELL_WIDTH, type HeatMapRequest, type HeatMapRow } from '../api/heat-map.js'
import { heatMap } from './heat-map.js'

const numRuns = inject('trials') === 'many' ? 2_000 : 100

const LIMIT = { writes: 1_000, reads: 3_000 }

const REQUEST: HeatMapRequest = {
  region: 'us-east-1',
  table: 'orders',
  index: undefined,
  by: 'key',
  from: 0,
  to: 10_000,
  columns: 10,
  rows: 6,
  delimiter: '_',
  separator: '/',
  open: [],
  firstKey: undefined,
  lastKey: undefined,
  after: 0,
}

const KEYS: readonly HeatKey[] = Array.from({ length: 24 }, (_, index) => ({
  hash: (index * 11).toString(16).padStart(16, '0'),
  values: [`/p${index % 3}/k${Math.floor(index / 3)}_${(index % 4) + 1}`],
  isCut: false,
}))

const cell = fc.record<HeatCell>({
  writeUnits: fc.nat(1_000),
  readUnits: fc.nat(3_000),
  partitionThrottles: fc.nat(50),
  tableThrottles: fc.nat(50),
  peak: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
})

/** Keys with their traffic, and what else their only partition had. */
const frame = fc
  .record({
    keys: fc.uniqueArray(fc.tuple(fc.nat(KEYS.length - 1), cell), { selector: ([key]) => key }),
    other: cell,
  })
  .map(({ keys, other }): HeatFrame => {
    const partition = { ...other }
    for (const [, each] of keys) {
      partition.writeUnits += each.writeUnits
      partition.readUnits += each.readUnits
      partition.partitionThrottles += each.partitionThrottles
      partition.tableThrottles += each.tableThrottles
      partition.peak = Math.max(partition.peak, each.peak)
    }
    const named = keys.map(([index, each]) => [KEYS[index] as HeatKey, each] as const)
    return { partitions: [[0, partition]], keys: named, reasons: new Map() }
  })

const span = fc.uniqueArray(fc.tuple(fc.nat(9), frame), { selector: ([column]) => column, minLength: 1 }).map(
  (columns): HeatSpan => ({
    from: 0,
    to: 10_000,
    seconds: 1,
    columns: columns.map(([column, each]) => ({ at: column * 1_000, frame: each })),
  }),
)

const mapOf = (from: HeatSpan, request: Partial<HeatMapRequest>) =>
  heatMap({ span: from, partitions: [], limit: LIMIT, events: [], now: 10_000 }, { ...REQUEST, ...request })

const grouping = fc.constantFrom('key' as const, 'prefix' as const, 'partition' as const)
const rowLimit = fc.integer({ min: 2, max: 30 })

function sum(rows: readonly HeatMapRow[], figure: 'writeUnits' | 'readUnits' | 'throttles'): number {
  return rows.filter(({ depth }) => depth === 0).reduce((total, row) => total + row[figure], 0)
}

describe('a heat map', () => {
  it('has every unit and every throttle once, however the rows are formed and folded', () => {
    fc.assert(
      fc.property(span, grouping, rowLimit, fc.boolean(), (from, by, rows, opened) => {
        const closed = mapOf(from, { by, rows })
        const open = opened ? closed.rows.flatMap(({ id, folds }) => (folds ? id : [])) : []
        const map = mapOf(from, { by, rows, open })
        const cells = from.columns.flatMap(({ frame }) => [...frame.partitions].map(([, each]) => each))
        expect(sum(map.rows, 'writeUnits')).toBe(cells.reduce((total, each) => total + each.writeUnits, 0))
        expect(sum(map.rows, 'readUnits')).toBe(cells.reduce((total, each) => total + each.readUnits, 0))
        const throttles = cells.map((each) => each.partitionThrottles + each.tableThrottles)
        expect(sum(map.rows, 'throttles')).toBe(throttles.reduce((total, each) => total + each, 0))
      }),
      { numRuns },
    )
  })

  it('shows the hottest key in its true colour, whatever it is folded into', () => {
    fc.assert(
      fc.property(span, grouping, rowLimit, (from, by, rows) => {
        const map = mapOf(from, { by, rows })
        for (const { at, frame: of } of from.columns) {
          const hottest = Math.max(0, ...[...of.keys].map(([, { peak }]) => peak))
          const peaks = map.rows.flatMap(({ cells }) => peakAt(cells, at / 1_000))
          expect(Math.max(0, ...peaks)).toBeGreaterThanOrEqual(Math.round(hottest * 1_000) / 10 - 1e-9)
        }
      }),
      { numRuns },
    )
  })

  it('has no more rows than were asked for, in the order of the keys', () => {
    fc.assert(
      fc.property(span, rowLimit, (from, rows) => {
        const shown = mapOf(from, { rows }).rows.filter(({ kind }) => kind !== 'rest')
        // A range on each side of every row that stays, and one more.
        expect(shown.length).toBeLessThanOrEqual(rows + 1)
        const labels = shown.map(({ label }) => label.split(' … ')[0] ?? '')
        expect(labels).toEqual([...labels].sort((a, b) => (a < b ? -1 : 1)))
      }),
      { numRuns },
    )
  })
})

function peakAt(cells: readonly number[], column: number): readonly number[] {
  const peaks: number[] = []
  for (let at = 0; at < cells.length; at += CELL_WIDTH) {
    if (cells[at + CELL.column] === column) peaks.push(cells[at + CELL.peak] ?? 0)
  }
  return peaks
}
