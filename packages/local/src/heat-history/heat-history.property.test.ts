import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { encodeKey } from '../keyspace/encoded-key.js'
import { HeatHistory } from './heat-history.js'
import type { HeatParameters } from './heat-parameters.js'

const numRuns = inject('trials') === 'many' ? 2_000 : 60

const ORDERS = { region: 'us-east-1', table: 'orders', index: undefined }
const KEY = [{ name: 'customer', type: 'S' }] as const
const LIMIT = { write: 1_000, read: 3_000 }

const PARAMETERS: HeatParameters = {
  layers: [
    { seconds: 1, columns: 20, keys: 4 },
    { seconds: 5, columns: 10, keys: 3 },
    { seconds: 30, columns: 5, keys: 2 },
  ],
  keysPerSecond: 6,
  maxCells: 400,
}

interface Recorded {
  /** Since the request before, in milliseconds. */
  readonly after: number
  readonly key: number
  readonly kind: 'read' | 'write' | 'throttle'
  readonly units: number
}

const traffic = fc.array(
  fc.record<Recorded>({
    after: fc.oneof(fc.nat(300), fc.nat(8_000)),
    key: fc.nat(9),
    kind: fc.constantFrom('read', 'write', 'throttle'),
    units: fc.integer({ min: 1, max: 900 }),
  }),
  { maxLength: 150 },
)

/** Records the traffic, and returns what was recorded, with its times. */
function recordAll(history: HeatHistory, requests: readonly Recorded[]) {
  const recorder = history.keyspace(ORDERS, KEY)
  let now = 1_000_000
  const all = requests.map((request) => {
    now += request.after
    const { key, kind, units } = request
    const encoded = encodeKey([{ S: `k${key}` }], [])
    if (kind === 'throttle') {
      recorder.throttled(key % 3, encoded, 'TableWriteKeyRangeThroughputExceeded', now)
    } else recorder.consumed(kind, key % 3, encoded, units, now)
    return { ...request, at: now }
  })
  return { all, now: now + 1_000 }
}

const START = 990_000

describe('the history of heat', () => {
  it('has every unit and every throttle of a partition, in columns of any width', () => {
    fc.assert(
      fc.property(traffic, fc.integer({ min: 1, max: 200 }), (requests, columns) => {
        const history = new HeatHistory({ ...PARAMETERS, maxCells: 100_000 }, LIMIT)
        const { all, now } = recordAll(history, requests)
        const span = history.read(ORDERS, { from: START, to: now, columns }, now)
        const oldest = span.columns[0]?.at ?? now
        const cells = span.columns.flatMap(({ frame }) => [...frame.partitions].map(([, cell]) => cell))
        // The coarsest layer keeps 150 seconds. Of what is older nothing is reported, and of what is newer everything.
        const kept = all.filter(({ at }) => at >= oldest)
        const sum = (of: readonly number[]) => of.reduce((total, value) => total + value, 0)
        const units = (kind: Recorded['kind']) =>
          sum(kept.flatMap((each) => (each.kind === kind ? each.units : [])))
        expect(sum(cells.map(({ writeUnits }) => writeUnits))).toBe(units('write'))
        expect(sum(cells.map(({ readUnits }) => readUnits))).toBe(units('read'))
        expect(sum(cells.map(({ partitionThrottles }) => partitionThrottles))).toBe(
          kept.filter(({ kind }) => kind === 'throttle').length,
        )
        expect(all.filter(({ at }) => at >= now - 120_000).length).toBeLessThanOrEqual(kept.length)
      }),
      { numRuns },
    )
  })

  it('keeps the hottest second of a partition, however wide the columns are', () => {
    fc.assert(
      fc.property(traffic, fc.integer({ min: 1, max: 200 }), (requests, columns) => {
        const history = new HeatHistory({ ...PARAMETERS, maxCells: 100_000 }, LIMIT)
        const { all, now } = recordAll(history, requests)
        const span = history.read(ORDERS, { from: START, to: now, columns }, now)
        const oldest = span.columns[0]?.at ?? now
        for (const partition of [0, 1, 2]) {
          const seconds = new Map<string, number>()
          for (const { at, key, kind, units } of all) {
            if (at < oldest || key % 3 !== partition || kind === 'throttle') continue
            const second = `${kind} ${Math.floor(at / 1_000)}`
            seconds.set(second, (seconds.get(second) ?? 0) + units / LIMIT[kind])
          }
          const hottest = Math.max(0, ...seconds.values())
          const peaks = span.columns.flatMap(({ frame }) =>
            [...frame.partitions].flatMap(([id, { peak }]) => (id === partition ? peak : [])),
          )
          expect(Math.max(0, ...peaks)).toBeCloseTo(hottest, 9)
        }
      }),
      { numRuns },
    )
  })

  it('never reports more of a key than it had, nor more columns than were asked for', () => {
    fc.assert(
      fc.property(traffic, fc.integer({ min: 1, max: 200 }), (requests, columns) => {
        const history = new HeatHistory(PARAMETERS, LIMIT)
        const { all, now } = recordAll(history, requests)
        const span = history.read(ORDERS, { from: START, to: now, columns }, now)
        // One more, because the borders of columns are not those of the span.
        expect(span.columns.length).toBeLessThanOrEqual(columns + 1)
        const written = new Map<string, number>()
        for (const { frame } of span.columns) {
          for (const [{ values }, { writeUnits }] of frame.keys) {
            const key = values.join()
            written.set(key, (written.get(key) ?? 0) + writeUnits)
          }
        }
        for (const [key, units] of written) {
          const had = all.flatMap((each) =>
            `k${each.key}` === key && each.kind === 'write' ? each.units : [],
          )
          expect(units).toBeLessThanOrEqual(had.reduce((total, value) => total + value, 0))
        }
      }),
      { numRuns },
    )
  })

  it('stays within its limit of cells', () => {
    fc.assert(
      fc.property(traffic, (requests) => {
        const history = new HeatHistory({ ...PARAMETERS, maxCells: 40 }, LIMIT)
        const { now } = recordAll(history, requests)
        history.read(ORDERS, { from: START, to: now, columns: 10 }, now)
        expect(history.cells).toBeLessThanOrEqual(40)
      }),
      { numRuns },
    )
  })
})
