import { describe, expect, it } from 'vitest'
import { CELL, type HeatMapRow } from '../api/heat-map.js'
import type { ReadableMap } from './finding.js'
import { findingsOf } from './findings.js'

const COLUMNS = 12
const WORDS = { key: String, figure: String, percent: (value: number) => `${value} %` }
const NONE = new Array<number>(COLUMNS).fill(0)

/** A map of one key without a throttled request, whose last second has this peak. */
function mapOf(peak: number): ReadableMap {
  const row: HeatMapRow = {
    id: 'k',
    kind: 'key',
    label: 'sale',
    keys: 1,
    depth: 0,
    folds: false,
    isOpen: false,
    writeUnits: peak * 10,
    readUnits: 0,
    throttles: 0,
    peak,
    cells: [],
  }
  return {
    version: 1,
    now: COLUMNS * 1_000,
    from: 0,
    seconds: 1,
    columns: COLUMNS,
    delimiter: '',
    limit: { writes: 1_000, reads: 3_000 },
    partitions: 4,
    cellsFrom: 0,
    totals: { writes: NONE, reads: NONE, throttles: {} },
    rows: [row],
    events: [],
    grid: { at: (_row, column, of) => (column === COLUMNS - 1 && of === CELL.peak ? peak : 0) },
  }
}

describe('the finding about a key without throttled requests', () => {
  it.each([
    [40, 'calm', 'No key is near the limit of a partition'],
    [95, 'warm', 'sale is close to the limit of its partition'],
    [130, 'warm', 'sale exceeds the limit of its partition for seconds at a time'],
  ])('at %d percent is %s', (peak, level, title) => {
    expect(findingsOf(mapOf(peak), WORDS)).toMatchObject([{ level, title }])
  })

  it('says why nothing was throttled above the limit', () => {
    const [warm] = findingsOf(mapOf(130), WORDS)
    expect(warm?.evidence).toBe(
      'Its hottest second is at 130 %. Nothing was throttled, because an idle partition saves up a second of its capacity.',
    )
  })
})
