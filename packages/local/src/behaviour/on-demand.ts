import { expect } from 'vitest'
import type { BehaviourGroup } from './behaviour.js'
import {
  anyKey,
  average,
  BehaviourBench,
  get,
  growing,
  type Load,
  provisioned,
  put,
  TABLE_ARN,
} from './behaviour-bench.js'
import {
  KEY_RANGE,
  ON_DEMAND,
  ON_DEMAND_MAXIMUM,
  QUOTAS,
  SCYLLA,
  SWITCHING_MODES,
  WARM,
  WARM_SCENARIOS,
} from './sources.js'

/** Isolates growth: no partition is split for heat. */
const NO_HEAT = { capacity: { heatSeconds: Number.POSITIVE_INFINITY } }

const evenly = (seconds: number, unitsPerSecond: number, unitsEach = 10): Load => ({
  seconds,
  unitsPerSecond,
  unitsEach,
  request: (index) => put(anyKey(index), 'a', unitsEach),
})

export const ON_DEMAND_TABLES: BehaviourGroup = {
  subject: 'An on-demand table',
  behaviours: [
    {
      fact: 'that is new sustains an even load of 4,000 write units per second, and not 5,000',
      basis: 'documented',
      source: ON_DEMAND,
      show() {
        expect(average(new BehaviourBench().drive(evenly(20, 3800)))).toBeGreaterThan(3780)
        const outcome = new BehaviourBench().drive(evenly(20, 5000))
        expect(average(outcome)).toBeGreaterThan(3900)
        expect(average(outcome)).toBeLessThan(4050)
      },
    },
    {
      fact: 'that is new sustains an even load of 12,000 read units per second, and not 15,000',
      basis: 'documented',
      source: ON_DEMAND,
      show() {
        const bench = new BehaviourBench({}, { throttle: true })
        for (let index = 0; index < 400; index++) {
          bench.ask(...put(anyKey(index), 'a', 40))
          bench.clock.advance(50)
        }
        const outcome = bench.drive({
          seconds: 15,
          unitsPerSecond: 15_000,
          unitsEach: 10,
          request: (index) => get(anyKey(index % 400), 'a'),
        })
        expect(average(outcome)).toBeGreaterThan(11_000)
        expect(average(outcome)).toBeLessThan(12_050)
      },
    },
    {
      fact: 'that is new charges an empty scan 4 units, or 2 if it is eventually consistent: one for each partition',
      basis: 'measured',
      source: SCYLLA,
      show() {
        const bench = new BehaviourBench()
        bench.ask(...put('a', 'a'))
        const scan = (ConsistentRead: boolean) =>
          bench.ask('Scan', { ConsistentRead, ReturnConsumedCapacity: 'TOTAL' }).ConsumedCapacity
        expect(scan(true)).toMatchObject({ CapacityUnits: 4 })
        expect(scan(false)).toMatchObject({ CapacityUnits: 2 })
      },
    },
    {
      fact: 'throttles traffic above twice its previous peak within 30 minutes',
      basis: 'documented',
      source: ON_DEMAND,
      show() {
        const bench = new BehaviourBench({}, NO_HEAT)
        bench.drive(evenly(120, 3600, 100))
        const outcome = bench.drive(evenly(300, 7200, 200))
        expect(average(outcome)).toBeLessThan(4050)
        expect([...outcome.refusals.keys()]).toEqual([
          `ThrottlingException TableWriteKeyRangeThroughputExceeded ${TABLE_ARN}`,
        ])
      },
    },
    {
      fact: 'sustains twice its previous peak 30 minutes after the peak, with more partitions',
      basis: 'documented',
      source: ON_DEMAND,
      show() {
        const bench = new BehaviourBench({}, NO_HEAT)
        bench.drive(evenly(60, 3900, 50))
        // Little traffic until the peak counts, half an hour after its minute.
        bench.drive(evenly(1790, 100, 50))
        expect(bench.partitions().length).toBe(4)
        bench.drive(evenly(20, 100, 50))
        expect(bench.partitions().length).toBe(8)
        expect(average(bench.drive(evenly(20, 7500, 50)))).toBeGreaterThan(7400)
        const { WarmThroughput } = bench.ask('DescribeTable', {}).Table
        expect(WarmThroughput.WriteUnitsPerSecond).toBeGreaterThan(7700)
      },
    },
    {
      fact: 'gets more capacity as its traffic rises: partitions that stay hot under an even load are split',
      basis: 'documented',
      source: ON_DEMAND,
      show() {
        const bench = new BehaviourBench({}, { capacity: { heatSeconds: 30 } })
        bench.drive(evenly(40, 6000, 50))
        expect(average(bench.drive(evenly(30, 6000, 50)))).toBeGreaterThan(5900)
      },
    },
    {
      fact: 'that was provisioned keeps the highest throughput it ever had, and at least 4,000',
      basis: 'documented',
      source: SWITCHING_MODES,
      show() {
        const small = new BehaviourBench(provisioned(1, 1))
        small.ask('UpdateTable', { BillingMode: 'PAY_PER_REQUEST' })
        expect(average(small.drive(evenly(20, 3800)))).toBeGreaterThan(3750)
        const large = new BehaviourBench(provisioned(1, 8000))
        large.ask('UpdateTable', {
          ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 10 },
        })
        large.ask('UpdateTable', { BillingMode: 'PAY_PER_REQUEST' })
        expect(average(large.drive(evenly(20, 7500, 25)))).toBeGreaterThan(7100)
      },
    },
    {
      fact: 'can be warmed to a requested throughput, which is available at once',
      basis: 'documented',
      source: WARM,
      show() {
        const bench = new BehaviourBench({ WarmThroughput: { WriteUnitsPerSecond: 8000 } })
        expect(average(bench.drive(evenly(20, 7500, 25)))).toBeGreaterThan(7450)
        const raised = new BehaviourBench()
        raised.ask('UpdateTable', { WarmThroughput: { WriteUnitsPerSecond: 8000 } })
        expect(average(raised.drive(evenly(20, 7500, 25)))).toBeGreaterThan(7450)
      },
    },
    {
      fact: 'that is warm still throttles one hot key at the limit of a partition',
      basis: 'documented',
      source: WARM_SCENARIOS,
      show() {
        const bench = new BehaviourBench({ WarmThroughput: { WriteUnitsPerSecond: 8000 } })
        const load = { ...evenly(20, 2000), request: (index: number) => put('hot', growing(index), 10) }
        expect(average(bench.drive(load))).toBeLessThan(1010)
      },
    },
    {
      fact: 'with a maximum throttles all keys equally at that maximum, with the matching reason',
      basis: 'documented',
      source: ON_DEMAND_MAXIMUM,
      show() {
        const bench = new BehaviourBench({ OnDemandThroughput: { MaxWriteRequestUnits: 500 } })
        const outcome = bench.drive(evenly(30, 2000))
        expect(Math.abs(average(outcome) - 500)).toBeLessThan(10)
        expect([...outcome.refusals.keys()]).toEqual([
          `ThrottlingException TableWriteMaxOnDemandThroughputExceeded ${TABLE_ARN}`,
        ])
      },
    },
    {
      fact: 'with a maximum may exceed it by a burst',
      basis: 'documented',
      source: ON_DEMAND_MAXIMUM,
      show() {
        const bench = new BehaviourBench({ OnDemandThroughput: { MaxWriteRequestUnits: 500 } })
        bench.clock.advance(60_000)
        expect(average(bench.drive(evenly(10, 2000)), 0)).toBeGreaterThan(1900)
      },
    },
    {
      fact: "is limited by the account's quota for one table, 40,000 units per second by default",
      basis: 'documented',
      source: QUOTAS,
      show() {
        const bench = new BehaviourBench({}, { capacity: { tableUnitsPerSecond: 3000 } })
        const outcome = bench.drive(evenly(20, 3800))
        expect(Math.abs(average(outcome) - 3000)).toBeLessThan(60)
        expect([...outcome.refusals.keys()]).toEqual([
          `RequestLimitExceeded TableWriteAccountLimitExceeded ${TABLE_ARN}`,
        ])
        expect(bench.ask('DescribeLimits', {}).TableMaxWriteCapacityUnits).toBe(3000)
        expect(new BehaviourBench().ask('DescribeLimits', {}).TableMaxWriteCapacityUnits).toBe(40_000)
      },
    },
    {
      fact: 'whose hot range was split stops throttling without any action',
      basis: 'documented',
      source: KEY_RANGE,
      show() {
        const bench = new BehaviourBench({}, { capacity: { heatSeconds: 20 } })
        const load = {
          ...evenly(60, 1600),
          request: () => put('one', growing(Math.floor(bench.random.next() * 1e8)), 10),
        }
        expect(average(bench.drive(load), 5, 15)).toBeLessThan(1010)
        expect(average(bench.drive(load))).toBeGreaterThan(1550)
      },
    },
  ],
}
