import { describe, expect, it } from 'vitest'
import { CELL, type HeatMapRow } from '../api/heat-map.js'
import type { ReadableMap } from './finding.js'
import { findingsOf } from './findings.js'
import { rowNeed } from './row-need.js'

const COLUMNS = 60
const WORDS = { key: String, figure: String, percent: (value: number) => `${value} %` }

/** Requests a second of the key in a column, of which its partition takes at most 1,000. */
type Asked = (column: number) => number

function mapOf(asked: Asked): ReadableMap {
  const accepted = (column: number) => Math.min(1_000, asked(column))
  const row: HeatMapRow = {
    id: 'key:sale',
    kind: 'key',
    label: 'sale',
    keys: 1,
    depth: 0,
    folds: false,
    isOpen: false,
    writeUnits: 1_000,
    readUnits: 0,
    throttles: 1,
    peak: 100,
    cells: [],
  }
  const columns = Array.from({ length: COLUMNS }, (_, column) => accepted(column))
  return {
    version: 1,
    now: COLUMNS * 1_000,
    from: 0,
    seconds: 1,
    columns: COLUMNS,
    delimiter: '',
    limit: { writes: 1_000, reads: 3_000 },
    partitions: 64,
    cellsFrom: 0,
    totals: { writes: columns, reads: columns.map(() => 0), throttles: {} },
    rows: [row],
    events: [],
    grid: {
      at: (_row, column, of) => {
        if (of === CELL.writes) return accepted(column)
        if (of === CELL.partitionThrottles) return asked(column) - accepted(column)
        return of === CELL.peak ? accepted(column) / 10 : 0
      },
    },
  }
}

const sentenceOf = (map: ReadableMap) => findingsOf(map, WORDS)[0]

describe('the shards that a row needs', () => {
  // Hot all the time, and hotter in the middle than in the last columns.
  const map = mapOf((column) => (column === 30 ? 6_000 : 2_000))

  it('are for the column of the span in which it asked for most', () => {
    expect(rowNeed(map, 0)).toMatchObject({ asked: 6_000, least: 9 })
  })

  it('are the same in the sentence above the map, whose figures are of the present', () => {
    const need = rowNeed(map, 0)
    const { evidence, cure } = sentenceOf(map) ?? {}
    expect(evidence).toBe(
      'Now, 1000 write units a second are accepted and 1000 requests a second throttled. One partition serves 1000.',
    )
    expect(cure).toContain(
      `Give this key ${need.least} shards or more. At its hottest in this span, it was asked for about 6000 requests a second`,
    )
    expect(cure).toContain(`${need.shards} are enough with odds of 99 %`)
  })

  it('are two at least for a key that its partition throttled, also in the sentence', () => {
    // Throttled in parts of seconds.
    const bursts = mapOf(() => 600)
    const { at } = bursts.grid
    const grid: ReadableMap['grid'] = {
      at: (row, column, of) => (of === CELL.partitionThrottles ? 20 : at(row, column, of)),
    }
    const throttled = { ...bursts, grid }
    expect(rowNeed(bursts, 0)).toMatchObject({ least: 1, shards: 1 })
    expect(rowNeed(throttled, 0)).toMatchObject({ asked: 620, least: 2, shards: 2 })
    expect(sentenceOf(throttled)?.cure).toContain('Give this key 2 shards or more.')
  })
})
