import { table } from '@isotherm/fixtures'
import { expect } from 'vitest'
import type { BehaviourGroup } from './behaviour.js'
import { anyKey, average, BehaviourBench, type Load, provisioned, put, TABLE_ARN } from './behaviour-bench.js'
import { ATC22, BURST_ADAPTIVE, PARTITIONS, QUOTAS, SWITCHING_MODES, THROTTLING_REASON } from './sources.js'

const evenly = (seconds: number, unitsPerSecond: number, unitsEach = 1): Load => ({
  seconds,
  unitsPerSecond,
  unitsEach,
  request: (index) => put(anyKey(index), 'a', unitsEach),
})

const update = (bench: BehaviourBench, read: number, write: number) =>
  bench.ask('UpdateTable', { ProvisionedThroughput: { ReadCapacityUnits: read, WriteCapacityUnits: write } })

/** A table of 400 write units on four partitions, as in the guide, and a key in each of them. */
function fourPartitions(model: 'adaptive' | 'classic') {
  const bench = new BehaviourBench(provisioned(1, 3999), { capacity: { model } })
  update(bench, 1, 400)
  const starts = bench.partitions().map(({ from }) => from)
  expect(starts).toHaveLength(4)
  const keys = new Map<number, string>()
  for (let index = 0; keys.size < 4; index++) {
    const before = bench.partitions().map(({ write }) => write.consumedUnits)
    bench.ask(...put(anyKey(index), 'a'))
    const hit = bench.partitions().findIndex(({ write }, at) => write.consumedUnits !== before[at])
    if (!keys.has(hit)) keys.set(hit, anyKey(index))
  }
  // Spends all saved capacity before the measurement.
  while (bench.failureOf(...put(keys.get(0) ?? '', 'a', 100)) === undefined);
  bench.clock.advance(2000)
  return { bench, keys }
}

/** 150 units per second for the first partition, and 50 for each of the others. */
function driveUnevenly(model: 'adaptive' | 'classic') {
  const { bench, keys } = fourPartitions(model)
  const order = [0, 0, 0, 1, 2, 3]
  return bench.drive({
    seconds: 30,
    unitsPerSecond: 300,
    unitsEach: 1,
    request: (index) => put(keys.get(order[index % 6] ?? 0) ?? '', 'a'),
  })
}

export const PROVISIONED_TABLES: BehaviourGroup = {
  subject: 'A provisioned table',
  behaviours: [
    {
      fact: 'throttles all keys equally at its own limit, and names the table as the reason',
      basis: 'documented',
      source: THROTTLING_REASON,
      show() {
        const outcome = new BehaviourBench(provisioned(100, 200)).drive(evenly(30, 500, 5))
        expect(Math.abs(average(outcome) - 200)).toBeLessThan(5)
        expect([...outcome.refusals.keys()]).toEqual([
          `ProvisionedThroughputExceededException TableWriteProvisionedThroughputExceeded ${TABLE_ARN}`,
        ])
      },
    },
    {
      fact: 'saves 300 seconds of unused capacity for bursts, and no more',
      basis: 'documented',
      source: BURST_ADAPTIVE,
      show() {
        const bench = new BehaviourBench(provisioned(100, 10))
        bench.clock.advance(3_600_000)
        const { accepted } = bench.drive(evenly(10, 900))
        const total = accepted.reduce((sum, units) => sum + units, 0)
        expect(total).toBeGreaterThanOrEqual(3000 + 100)
        expect(total).toBeLessThanOrEqual(3000 + 100 + 10)
      },
    },
    {
      fact: 'bursts until its saved capacity is spent',
      basis: 'documented',
      source: BURST_ADAPTIVE,
      show() {
        const bench = new BehaviourBench(provisioned(100, 100))
        bench.clock.advance(60_000)
        // 6,100 units are saved, 100 more come every second, and 400 are requested: this lasts for 20 seconds.
        const { accepted } = bench.drive(evenly(40, 400))
        expect(accepted.slice(0, 20).every((units) => units === 400)).toBe(true)
        expect(accepted.slice(22).every((units) => units <= 101)).toBe(true)
      },
    },
    {
      fact: 'that is new has no saved capacity',
      basis: 'inferred',
      source: BURST_ADAPTIVE,
      show() {
        const { accepted } = new BehaviourBench(provisioned(100, 100)).drive(evenly(5, 900))
        expect(accepted[0]).toBeLessThanOrEqual(201)
        expect(accepted[1]).toBeLessThanOrEqual(101)
      },
    },
    {
      fact: 'of 400 units on four partitions sustains 150 for one of them while the others use 50 each',
      basis: 'documented',
      source: BURST_ADAPTIVE,
      show() {
        expect(driveUnevenly('adaptive').refusals).toEqual(new Map())
      },
    },
    {
      fact: 'in the classic model does not: each of the four has 100',
      basis: 'documented',
      source: ATC22,
      show() {
        const outcome = driveUnevenly('classic')
        expect(Math.abs(average(outcome, 10) - 250)).toBeLessThan(5)
        expect([...outcome.refusals.keys()]).toEqual([
          `ProvisionedThroughputExceededException TableWriteKeyRangeThroughputExceeded ${TABLE_ARN}`,
        ])
      },
    },
    {
      fact: 'in the classic model gives each side of a split half of the share (dilution)',
      basis: 'documented',
      source: ATC22,
      show() {
        const capacity = { model: 'classic', partitionBytes: 100_000, tableBurstSeconds: 1 } as const
        const bench = new BehaviourBench(provisioned(1, 200), { capacity })
        const hot = (seconds: number) =>
          bench.drive({ ...evenly(seconds, 400), request: () => put('hot', 'item') })
        expect(Math.abs(average(hot(15)) - 200)).toBeLessThan(5)
        bench.drive(evenly(2, 200))
        expect(bench.partitions().length).toBeGreaterThan(1)
        expect(average(hot(15))).toBeLessThan(105)
      },
    },
    {
      fact: 'in the classic model is not split for heat',
      basis: 'inferred',
      source: ATC22,
      show() {
        const bench = new BehaviourBench(provisioned(1, 900), {
          capacity: { model: 'classic', heatSeconds: 10 },
        })
        bench.drive(evenly(60, 1500, 25))
        expect(bench.events).toEqual([])
      },
    },
    {
      fact: 'gets the throughput that UpdateTable sets',
      basis: 'documented',
      source: QUOTAS,
      show() {
        const bench = new BehaviourBench(provisioned(100, 100))
        bench.drive(evenly(10, 900, 10))
        update(bench, 100, 800)
        expect(Math.abs(average(bench.drive(evenly(10, 1500, 10)), 2) - 800)).toBeLessThan(20)
      },
    },
    {
      fact: 'has enough partitions for its throughput, and keeps them when the throughput is decreased',
      basis: 'documented',
      source: PARTITIONS,
      show() {
        const bench = new BehaviourBench(provisioned(6000, 2000))
        expect(bench.partitions()).toHaveLength(4)
        update(bench, 1, 1)
        expect(bench.partitions()).toHaveLength(4)
        update(bench, 12_000, 4000)
        expect(bench.partitions()).toHaveLength(8)
      },
    },
    {
      fact: 'can be decreased four times a day, then once an hour',
      basis: 'measured',
      source: QUOTAS,
      show() {
        const bench = new BehaviourBench(provisioned(100, 100))
        for (const units of [90, 80, 70, 60]) update(bench, units, units)
        expect(() => update(bench, 50, 50)).toThrow('Number of decreases today: 4')
        bench.clock.advance(3_600_000)
        update(bench, 50, 50)
      },
    },
    {
      fact: 'can be switched to on-demand mode four times in any 24 hours, and back at any time',
      basis: 'documented',
      source: SWITCHING_MODES,
      show() {
        const bench = new BehaviourBench(provisioned(5, 5))
        const toOnDemand = () => bench.ask('UpdateTable', { BillingMode: 'PAY_PER_REQUEST' })
        for (let time = 0; time < 4; time++) {
          toOnDemand()
          bench.ask('UpdateTable', provisioned(5, 5))
          bench.clock.advance(3_600_000)
        }
        expect(toOnDemand).toThrow('limited to 4 times in 1 day(s)')
        bench.clock.advance(20 * 3_600_000)
        toOnDemand()
      },
    },
    {
      fact: 'shares the 80,000 units that an account may provision in a region',
      basis: 'documented',
      source: QUOTAS,
      show() {
        const bench = new BehaviourBench(provisioned(40_000, 1))
        const create = (TableName: string, units: number) =>
          bench.ask('CreateTable', table(TableName, ['pk'], { units: { read: units, write: 1 } }))
        create('second', 40_000)
        expect(() => create('third', 1)).toThrow('limited to 80000 read capacity units')
      },
    },
  ],
}
