import { expect } from 'vitest'
import type { BehaviourGroup } from './behaviour.js'
import { anyKey, average, BehaviourBench, growing, type Load, provisioned, put } from './behaviour-bench.js'
import { ATC22, BURST_ADAPTIVE, HEAT_SERIES, LOAD_TEST, LOCAL_INDEXES, PARTITIONS } from './sources.js'

/** Splits that come sooner than after five minutes, starting with one partition. */
const SOON = { capacity: { heatSeconds: 10, onDemandPartitions: 1 } }

const load = (seconds: number, unitsPerSecond: number, request: Load['request'], unitsEach = 10): Load => ({
  seconds,
  unitsPerSecond,
  unitsEach,
  request,
})

const anywhere = (bench: BehaviourBench) => growing(Math.floor(bench.random.next() * 1e8))
const kinds = (bench: BehaviourBench) =>
  new Set(bench.events.map((event) => (event.type === 'split' ? event.cause : event.because)))

const withLocalIndex = { local: { by_other: { sort: 'other', projected: 'KEYS_ONLY' } } } as const

export const SPLITS: BehaviourGroup = {
  subject: 'A split',
  behaviours: [
    {
      fact: 'follows when a partition stays near its limit for minutes, but not when it is merely busy',
      basis: 'measured',
      source: LOAD_TEST,
      show() {
        const busy = new BehaviourBench({}, SOON)
        busy.drive(load(30, 800, (index) => put(anyKey(index), 'a', 10)))
        expect(busy.events).toEqual([])
        const hot = new BehaviourBench({}, { capacity: { onDemandPartitions: 1 } })
        hot.drive(load(290, 1200, (index) => put(anyKey(index), 'a', 20), 20))
        expect(hot.events).toEqual([])
        hot.drive(load(20, 1200, (index) => put(anyKey(index), 'a', 20), 20))
        expect(kinds(hot)).toEqual(new Set(['heat']))
      },
    },
    {
      fact: 'does not follow from traffic throttled only by the limit of the table',
      basis: 'documented',
      source: ATC22,
      show() {
        // All partitions stay cold, however many requests are throttled.
        const bench = new BehaviourBench(provisioned(10, 10), SOON)
        const outcome = bench.drive(load(60, 500, (index) => put(anyKey(index), 'a', 10)))
        expect([...outcome.refusals.keys()].join()).toMatch(/TableWriteProvisionedThroughputExceeded \S+$/)
        expect(bench.events).toEqual([])
        expect(bench.partitions()).toHaveLength(1)
      },
    },
    {
      fact: 'is repeated until ten hot keys get their full throughput',
      basis: 'documented',
      source: BURST_ADAPTIVE,
      show() {
        const bench = new BehaviourBench({}, SOON)
        const request = (index: number) => put(`key-${index % 10}`, anywhere(bench), 10)
        const outcome = bench.drive(load(120, 2500, request))
        expect(outcome.accepted[8]).toBeLessThan(1100)
        expect(average(outcome, 110)).toBeGreaterThan(2490)
        expect(bench.partitions().length).toBeGreaterThanOrEqual(3)
      },
    },
    {
      fact: 'is placed where the load halves, not in the middle of the range',
      basis: 'documented',
      source: ATC22,
      show() {
        const bench = new BehaviourBench({}, SOON)
        // The whole load is on the first tenth of the sort keys of one collection.
        const request = () => put('one', growing(Math.floor(bench.random.next() * 1e7)), 10)
        bench.drive(load(20, 1600, request))
        const [left, right] = bench.partitions()
        const before = [left, right].map((side) => side?.write.consumedUnits ?? 0)
        bench.drive(load(20, 1600, request))
        const after = bench.partitions().map(({ write }) => write.consumedUnits)
        const share = ((after[0] ?? 0) - (before[0] ?? 0)) / (20 * 1600)
        expect(share).toBeGreaterThan(0.42)
        expect(share).toBeLessThan(0.58)
      },
    },
    {
      fact: 'divides an item collection by sort key when its load has no order',
      basis: 'documented',
      source: BURST_ADAPTIVE,
      show() {
        const bench = new BehaviourBench({}, SOON)
        const outcome = bench.drive(load(60, 1800, () => put('one', anywhere(bench), 10)))
        expect(average(outcome, 50)).toBeGreaterThan(1780)
      },
    },
    {
      fact: 'of a collection read in pages is in the middle of the pages, not where they begin',
      basis: 'inferred',
      source: HEAT_SERIES,
      show() {
        const bench = new BehaviourBench({}, SOON)
        for (let index = 0; index < 40; index++) {
          bench.clock.advance(100)
          bench.ask(...put('one', growing(index), 30))
        }
        const query = {
          KeyConditionExpression: 'pk = :k',
          ExpressionAttributeValues: { ':k': { S: 'one' } },
          ConsistentRead: true,
        }
        // A page is 35 of the items: 263 units.
        const pages = { unitsPerSecond: 5000, unitsEach: 263, request: () => ['Query', query] as const }
        const outcome = bench.drive({ ...pages, seconds: 30 })
        expect(average(outcome, 20)).toBeGreaterThan(4900)
        expect(bench.partitions()).toHaveLength(2)
        const [left = 0, right = 0] = bench.partitions().map(({ read }) => read.consumedUnits)
        expect(right / (left + right)).toBeGreaterThan(0.3)
      },
    },
    {
      fact: 'does not follow from one hot item',
      basis: 'documented',
      source: ATC22,
      show() {
        const bench = new BehaviourBench({}, SOON)
        const outcome = bench.drive(load(60, 2000, () => put('one', 'item', 10)))
        expect(average(outcome, 50)).toBeLessThan(1010)
        expect(kinds(bench)).toEqual(new Set(['one-hot-item']))
      },
    },
    ...[
      ['grows', (index: number) => growing(index)] as const,
      ['falls', (index: number) => growing(1e8 - index)] as const,
    ].map(([way, sortOf]) => ({
      fact: `is never inside a collection whose sort key only ${way}, which stays at 1,000`,
      basis: 'documented' as const,
      source: BURST_ADAPTIVE,
      show() {
        const bench = new BehaviourBench({}, SOON)
        const outcome = bench.drive(load(60, 2000, (index) => put('log', sortOf(index), 10)))
        expect(average(outcome, 50)).toBeLessThan(1010)
        expect(kinds(bench)).toEqual(new Set(['sort-key-only-moves-on']))
      },
    })),
    {
      fact: 'never divides a collection of a table with local indexes, for heat or for size',
      basis: 'documented',
      source: LOCAL_INDEXES,
      show() {
        const bench = new BehaviourBench(withLocalIndex, {
          capacity: { ...SOON.capacity, partitionBytes: 1_000_000 },
        })
        const outcome = bench.drive(load(40, 1600, () => put('one', anywhere(bench), 10)))
        expect(average(outcome, 30)).toBeLessThan(1010)
        expect(kinds(bench)).toEqual(new Set(['one-collection-with-local-indexes']))
      },
    },
    {
      fact: 'separates collections of a table with local indexes from each other',
      basis: 'documented',
      source: HEAT_SERIES,
      show() {
        const bench = new BehaviourBench(withLocalIndex, SOON)
        const outcome = bench.drive(load(60, 1800, (index) => put(`key-${index % 20}`, anywhere(bench), 10)))
        expect(average(outcome, 50)).toBeGreaterThan(1700)
      },
    },
    {
      fact: 'can leave a hot item alone in a partition, where it gets the full 1,000',
      basis: 'documented',
      source: BURST_ADAPTIVE,
      show() {
        const bench = new BehaviourBench({}, SOON)
        // Half of the load is for one item. At the end, it has its partition to itself.
        const request = (index: number) =>
          index % 2 === 0 ? put('hot', 'item', 10) : put(anyKey(index), 'a', 10)
        bench.drive(load(100, 1900, request))
        expect(average(bench.drive(load(20, 1900, request)))).toBeGreaterThan(1850)
      },
    },
    {
      fact: 'follows when a partition is near its size limit, in the middle of its bytes',
      basis: 'documented',
      source: PARTITIONS,
      show() {
        const bench = new BehaviourBench(
          {},
          { capacity: { partitionBytes: 1_000_000, onDemandPartitions: 1 } },
        )
        bench.drive(load(40, 500, (index) => put(anyKey(index), 'a', 10)))
        const sizes = bench.partitions().map(({ bytes = 0 }) => bytes)
        expect(kinds(bench)).toEqual(new Set(['size']))
        expect(Math.max(...sizes)).toBeLessThan(1_100_000)
        expect(Math.min(...sizes)).toBeGreaterThan(400_000)
      },
    },
    {
      fact: 'for size can be inside an item collection, which may be larger than a partition',
      basis: 'documented',
      source: PARTITIONS,
      show() {
        const bench = new BehaviourBench(
          {},
          { capacity: { partitionBytes: 1_000_000, onDemandPartitions: 1 } },
        )
        bench.drive(load(40, 500, (index) => put('one', growing(index), 10)))
        expect(bench.partitions().length).toBeGreaterThan(10)
        expect(bench.ask('Query', allOf('one')).Count).toBeGreaterThan(50)
      },
    },
    {
      fact: 'follows when the throughput is set higher than ever before',
      basis: 'documented',
      source: HEAT_SERIES,
      show() {
        const bench = new BehaviourBench(provisioned(1, 900))
        expect(bench.partitions()).toHaveLength(1)
        bench.ask('UpdateTable', {
          ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 3900 },
        })
        expect(bench.partitions()).toHaveLength(4)
        expect(kinds(bench)).toEqual(new Set(['throughput']))
      },
    },
    {
      fact: 'is never undone',
      basis: 'documented',
      source: HEAT_SERIES,
      show() {
        const bench = new BehaviourBench({}, SOON)
        bench.drive(load(30, 2000, (index) => put(anyKey(index), 'a', 10)))
        const { length } = bench.partitions()
        expect(length).toBeGreaterThan(1)
        bench.clock.advance(30 * 86_400_000)
        bench.ask('UpdateTable', provisioned(1, 1))
        expect(bench.partitions()).toHaveLength(length)
      },
    },
    {
      fact: 'makes a scan of little data more expensive, because it pays for every partition',
      basis: 'documented',
      source: HEAT_SERIES,
      show() {
        const bench = new BehaviourBench({ WarmThroughput: { WriteUnitsPerSecond: 16_000 } })
        const { ConsumedCapacity } = bench.ask('Scan', {
          ConsistentRead: true,
          ReturnConsumedCapacity: 'TOTAL',
        })
        expect(ConsumedCapacity.CapacityUnits).toBe(16)
      },
    },
    {
      fact: 'happens in an index as in a table',
      basis: 'documented',
      source: BURST_ADAPTIVE,
      show() {
        const bench = new BehaviourBench(
          { global: { by_kind: ['kind'] } },
          { capacity: { partitionBytes: 1_000_000 } },
        )
        const request = (index: number) => put(anyKey(index), 'a', 10, { kind: { S: `kind-${index % 50}` } })
        bench.drive(load(40, 800, request))
        expect(bench.partitions('by_kind').length).toBeGreaterThan(20)
      },
    },
  ],
}

function allOf(pk: string): object {
  return { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': { S: pk } } }
}
