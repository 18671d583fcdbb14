import type { HeatKey, HeatSpan } from '@isotherm/local'
import { describe, expect, it } from 'vitest'
import type { HeatMapRequest } from '../api/heat-map.js'
import { heatMap } from './heat-map.js'

const key = (hash: string, value: string): HeatKey => ({
  hash: hash.padEnd(16, '0'),
  values: [value],
  isCut: false,
})
const heat = (writeUnits: number, throttles = 0) => ({
  writeUnits,
  readUnits: 0,
  partitionThrottles: throttles,
  tableThrottles: 0,
  peak: writeUnits / 1_000,
})

/** A sale whose two shards are in two partitions, and a quiet key. */
const SPAN: HeatSpan = {
  from: 0,
  to: 2_000,
  seconds: 1,
  columns: [
    {
      at: 1_000,
      frame: {
        partitions: [
          [0, heat(1_010, 5)],
          [1, heat(505)],
        ],
        keys: [
          [key('1', 'sale_1'), heat(1_000, 5)],
          [key('9', 'sale_2'), heat(500)],
          [key('2', 'visit'), heat(10)],
        ],
        reasons: new Map([['TableWriteKeyRangeThroughputExceeded', 5]]),
      },
    },
  ],
}
const side = { consumedUnits: 0, throttledRequests: 0, availableUnits: 0 }
const PARTITIONS = [
  { id: 0, from: '', to: '8000000000000000', bytes: 0, read: side, write: side },
  { id: 1, from: '8000000000000000', to: undefined, bytes: 0, read: side, write: side },
]
const REQUEST: HeatMapRequest = {
  region: 'us-east-1',
  table: 'shop',
  index: undefined,
  by: 'key',
  from: 0,
  to: 2_000,
  columns: 2,
  rows: 100,
  delimiter: '_',
  separator: '/',
  open: [],
  firstKey: undefined,
  lastKey: undefined,
  after: 0,
}
const map = (request: Partial<HeatMapRequest> = {}) =>
  heatMap(
    { span: SPAN, partitions: PARTITIONS, limit: { writes: 1_000, reads: 3_000 }, events: [], now: 2_000 },
    { ...REQUEST, ...request },
  )

describe('the rows of a heat map', () => {
  it('are logical keys, as hot as their hottest shard, with the units of all shards', () => {
    expect(map().rows).toMatchObject([
      { id: 'key:sale', kind: 'key', keys: 2, folds: true, isOpen: false, peak: 100, writeUnits: 1_500 },
      { id: 'key:visit', kind: 'key', keys: 1, folds: false, peak: 1 },
      { id: 'rest', kind: 'rest', writeUnits: 5 },
    ])
  })

  it('open into their shards, in order', () => {
    expect(map({ open: ['key:sale'] }).rows.slice(0, 3)).toMatchObject([
      { id: 'key:sale', isOpen: true, depth: 0 },
      { kind: 'shard', label: 'sale_1', depth: 1, peak: 100, throttles: 5, cells: [1, 100, 1_000, 0, 5, 0] },
      { kind: 'shard', label: 'sale_2', depth: 1, peak: 50, throttles: 0 },
    ])
  })

  it('are physical keys where no delimiter is known', () => {
    expect(map({ delimiter: '' }).rows.map(({ label }) => label)).toEqual([
      'sale_1',
      'sale_2',
      'visit',
      'all other keys',
    ])
  })

  it('are partitions with all of their traffic, and open into their keys', () => {
    expect(map({ by: 'partition', open: ['partition:0'] }).rows).toMatchObject([
      { label: 'partition 0', keys: 2, writeUnits: 1_010, isOpen: true },
      { kind: 'member', label: 'sale_1' },
      { kind: 'member', label: 'visit' },
      { label: 'partition 1', keys: 1, writeUnits: 505 },
    ])
  })

  it('end at the keys that were selected', () => {
    expect(map({ firstKey: 't', lastKey: 'z' }).rows.map(({ label }) => label)).toEqual(['visit'])
  })

  it('come with the totals of the table and the reasons of its throttles', () => {
    expect(map()).toMatchObject({
      columns: 2,
      totals: {
        writes: [0, 1_515],
        reads: [0, 0],
        throttles: { TableWriteKeyRangeThroughputExceeded: [0, 5] },
      },
    })
  })
})
