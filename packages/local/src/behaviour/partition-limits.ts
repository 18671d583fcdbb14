import { expect } from 'vitest'
import type { BehaviourGroup } from './behaviour.js'
import {
  anyKey,
  average,
  BehaviourBench,
  get,
  growing,
  provisioned,
  put,
  TABLE_ARN,
} from './behaviour-bench.js'
import { ERRORS, HEAT_SERIES, KEY_RANGE, PARTITION_KEYS, SCYLLA } from './sources.js'

const KEY_RANGE_OF_TABLE = `TableWriteKeyRangeThroughputExceeded ${TABLE_ARN}`

export const PARTITION_LIMITS: BehaviourGroup = {
  subject: 'A partition',
  behaviours: [
    {
      fact: 'delivers 1,000 write units per second to one item for an hour, for any higher load',
      basis: 'documented',
      source: PARTITION_KEYS,
      show() {
        const bench = new BehaviourBench()
        const load = (seconds: number, unitsEach: number) =>
          bench.drive({
            seconds,
            unitsPerSecond: 1500,
            unitsEach,
            request: () => put('one', 'item', unitsEach),
          })
        // Few large requests for the whole hour, then small ones, which show each second.
        const hour = load(3600, 250)
        expect(average(hour)).toBeGreaterThan(995)
        expect(average(hour)).toBeLessThan(1005)
        expect(Math.max(...hour.accepted.slice(2))).toBeLessThanOrEqual(1250)
        const minute = load(60, 50)
        expect(average(minute)).toBeGreaterThan(990)
        expect(Math.max(...minute.accepted)).toBeLessThanOrEqual(1050)
      },
    },
    {
      fact: 'delivers 3,000 strongly consistent read units per second, separately from its 1,000 write units',
      basis: 'documented',
      source: PARTITION_KEYS,
      show() {
        const bench = new BehaviourBench()
        bench.ask(...put('one', 'large', 40))
        const read = get('one', 'large')
        const outcome = bench.drive({
          seconds: 20,
          unitsPerSecond: 5000,
          unitsEach: 10,
          request: (index) => (index % 4 === 0 ? put('one', 'a', 10) : read),
        })
        expect(Math.abs(average(outcome) - 3000 - 1000)).toBeLessThan(30)
      },
    },
    {
      fact: 'delivers 600 strongly consistent reads per second of an item of 20 KB',
      basis: 'documented',
      source: PARTITION_KEYS,
      show() {
        const bench = new BehaviourBench()
        bench.ask(...put('one', 'a', 20))
        bench.clock.advance(1000)
        const outcome = bench.drive({
          seconds: 15,
          unitsPerSecond: 5000,
          unitsEach: 5,
          request: () => get('one', 'a'),
        })
        expect(Math.abs(average(outcome) / 5 - 600)).toBeLessThan(4)
      },
    },
    {
      fact: 'of a provisioned table has the same limits, whatever the throughput of the table',
      basis: 'documented',
      source: PARTITION_KEYS,
      show() {
        const bench = new BehaviourBench(provisioned(100, 4000))
        const outcome = bench.drive({
          seconds: 20,
          unitsPerSecond: 2500,
          unitsEach: 10,
          request: (index) => put('one', growing(index), 10),
        })
        expect(average(outcome)).toBeLessThan(1005)
        expect([...outcome.refusals.keys()]).toEqual([
          `ProvisionedThroughputExceededException ${KEY_RANGE_OF_TABLE}`,
        ])
      },
    },
    {
      fact: 'does not exceed its limits while its table spends saved capacity',
      basis: 'documented',
      source: HEAT_SERIES,
      show() {
        const bench = new BehaviourBench(provisioned(100, 900))
        bench.clock.advance(3_600_000)
        const outcome = bench.drive({
          seconds: 20,
          unitsPerSecond: 2500,
          unitsEach: 10,
          request: (index) => put('one', growing(index), 10),
        })
        expect(average(outcome)).toBeGreaterThan(995)
        expect(average(outcome)).toBeLessThan(1005)
      },
    },
    {
      fact: 'throttles the neighbours of a hot key with the same reason, and no keys of other partitions',
      basis: 'documented',
      source: KEY_RANGE,
      show() {
        const bench = new BehaviourBench()
        const outcome = bench.drive({
          seconds: 20,
          unitsPerSecond: 4000,
          unitsEach: 10,
          request: (index) =>
            index % 2 === 0 ? put('hot', growing(index), 10) : put(anyKey(index), 'a', 10),
        })
        // The hot key's partition is offered 2,500 and delivers 1,000. The other three are offered 500 each and deliver
        // all of it.
        expect(Math.abs(average(outcome) - 2500)).toBeLessThan(120)
        expect([...outcome.refusals.keys()]).toEqual([`ThrottlingException ${KEY_RANGE_OF_TABLE}`])
      },
    },
    {
      fact: 'reports the reason and the resource of a throttle, but neither key nor partition',
      basis: 'documented',
      source: ERRORS,
      show() {
        const bench = new BehaviourBench()
        bench.ask(...put('one', 'a', 300))
        while (bench.failureOf(...put('one', 'a', 300)) === undefined) bench.clock.advance(1)
        const failure = bench.failureOf(...put('one', 'a'))
        expect(failure?.members).toEqual({
          throttlingReasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded', resource: TABLE_ARN }],
        })
      },
    },
    {
      fact: 'saves one unused second of its rate for bursts, and no more',
      basis: 'inferred',
      source: SCYLLA,
      show() {
        const outcome = new BehaviourBench().drive({
          seconds: 3,
          unitsPerSecond: 10_000,
          unitsEach: 10,
          request: (index) => put('one', growing(index), 10),
        })
        expect(outcome.accepted[0]).toBeGreaterThan(1900)
        expect(outcome.accepted[0]).toBeLessThanOrEqual(2010)
        expect(outcome.accepted[1]).toBeLessThanOrEqual(1010)
      },
    },
    {
      fact: 'admits a request larger than what is left, and the next one only after the debt is paid back',
      basis: 'inferred',
      source: SCYLLA,
      show() {
        const bench = new BehaviourBench(provisioned(1, 10))
        bench.ask(...put('one', 'a', 100))
        bench.clock.advance(8900)
        expect(bench.failureOf(...put('one', 'a'))).toBeDefined()
        bench.clock.advance(200)
        expect(bench.failureOf(...put('one', 'a'))).toBeUndefined()
      },
    },
  ],
}
