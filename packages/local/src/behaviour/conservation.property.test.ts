import { addIndex, type TableShape } from '@isotherm/fixtures'
import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { ServiceError } from '../errors/service-error.js'
import { BehaviourBench, item, provisioned, TABLE } from './behaviour-bench.js'

const RUNS = inject('trials') === 'many' ? 150 : 50

const READ_RATE = 30
const WRITE_RATE = 10

interface Step {
  readonly afterMilliseconds: number
  readonly operation: 'put' | 'get' | 'query' | 'delete'
  readonly key: number
  readonly kind: number
  readonly bytes: number
}

const step: fc.Arbitrary<Step> = fc.record({
  afterMilliseconds: fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 0, max: 50 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 5000 }) },
  ),
  operation: fc.constantFrom('put', 'put', 'put', 'get', 'query', 'delete'),
  key: fc.integer({ min: 0, max: 7 }),
  kind: fc.integer({ min: 0, max: 2 }),
  bytes: fc.integer({ min: 30, max: 6000 }),
})

const tables: fc.Arbitrary<object> = fc.constantFrom({}, provisioned(12, 6), {
  OnDemandThroughput: { MaxReadRequestUnits: 9, MaxWriteRequestUnits: 7 },
})

/** Small partitions, so that everything throttles. */
function newBench(table: TableShape, model: 'adaptive' | 'classic'): BehaviourBench {
  const { ProvisionedThroughput } = table
  return new BehaviourBench(
    { ...table, global: { by_kind: { key: ['kind'], ProvisionedThroughput } } },
    {
      capacity: {
        model,
        partitionReadUnitsPerSecond: READ_RATE,
        partitionWriteUnitsPerSecond: WRITE_RATE,
        indexPartitionBurstSeconds: 1,
        onDemandPartitions: 3,
        heatSeconds: 5,
        partitionBytes: 20_000,
      },
      propagation: { indexQueueUnits: 5 },
    },
  )
}

function requestOf({ operation, key, kind, bytes }: Step): readonly [string, object] {
  const Key = { pk: { S: `key-${key}` }, sk: { S: 'a' } }
  const total = { ReturnConsumedCapacity: 'TOTAL' }
  switch (operation) {
    case 'put':
      return ['PutItem', { ...total, Item: item(`key-${key}`, 'a', bytes, { kind: { S: `kind-${kind}` } }) }]
    case 'delete':
      return ['DeleteItem', { ...total, Key }]
    case 'get':
      return ['GetItem', { ...total, Key }]
    case 'query':
      return [
        'Query',
        {
          ...total,
          KeyConditionExpression: 'pk = :k',
          ExpressionAttributeValues: { ':k': Key.pk },
          ConsistentRead: true,
        },
      ]
  }
}

/** The units that a request reports, or `undefined` when it is throttled. */
function answerTo(bench: BehaviourBench, step: Step): number | undefined {
  try {
    return bench.ask(...requestOf(step)).ConsumedCapacity.CapacityUnits
  } catch (error) {
    if (error instanceof ServiceError && /Throughput|Throttling|RequestLimit/.test(error.name))
      return undefined
    throw error
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

function takenFromTable(bench: BehaviourBench): Map<string, number> {
  const sides = bench.partitions().flatMap(({ id, read, write }): [string, number][] => [
    [`${id} read`, read.consumedUnits],
    [`${id} write`, write.consumedUnits],
  ])
  return new Map(sides)
}

function takenFromIndex(bench: BehaviourBench): number {
  return sum(bench.partitions('by_kind').map(({ read, write }) => read.consumedUnits + write.consumedUnits))
}

/** Applies the pending changes of the index. Only reading an index applies them. */
function settle(bench: BehaviourBench): number {
  bench.clock.advance(3_600_000)
  const { ConsumedCapacity } = bench.ask('Query', {
    IndexName: 'by_kind',
    KeyConditionExpression: 'kind = :k',
    ExpressionAttributeValues: { ':k': { S: 'nobody' } },
    ReturnConsumedCapacity: 'TOTAL',
  })
  return ConsumedCapacity.CapacityUnits
}

interface Taken {
  readonly at: number
  readonly units: number
}

/**
 * Between any two requests, no more units are taken than the rate allows for that time, plus the saved units and one
 * request.
 */
function expectNoWindowToHoldTooMuch(taken: readonly Taken[], rate: number): void {
  for (let first = 0; first < taken.length; first++) {
    let units = 0
    for (let last = first; last < taken.length; last++) {
      const [begin, end] = [taken[first], taken[last]]
      if (begin === undefined || end === undefined) continue
      units += end.units
      const seconds = (end.at - begin.at) / 1000
      // A partition saves one second of its rate.
      expect(units).toBeLessThanOrEqual(rate * seconds + rate + end.units + 1e-6)
    }
  }
}

describe('capacity is conserved', () => {
  it('by partitions, over any window; reported units equal the units taken, and throttled requests take none', () => {
    let refused = 0
    const model = fc.constantFrom('adaptive' as const, 'classic' as const)
    fc.assert(
      fc.property(
        tables,
        model,
        fc.array(step, { minLength: 50, maxLength: 250, size: 'max' }),
        (table, model, steps) => {
          const bench = newBench(table, model)
          const windows = new Map<string, Taken[]>()
          let reported = 0
          for (const each of steps) {
            bench.clock.advance(each.afterMilliseconds)
            const before = takenFromTable(bench)
            const answer = answerTo(bench, each)
            reported += answer ?? 0
            if (answer === undefined) refused++
            const at = bench.clock.now()
            for (const [side, total] of takenFromTable(bench)) {
              const taken = total - (before.get(side) ?? 0)
              if (taken === 0) continue
              expect(answer).toBeDefined()
              windows.set(side, [...(windows.get(side) ?? []), { at, units: taken }])
            }
          }
          reported += settle(bench)
          expect(sum([...takenFromTable(bench).values()]) + takenFromIndex(bench)).toBeCloseTo(reported, 6)
          for (const [side, taken] of windows) {
            expectNoWindowToHoldTooMuch(taken, side.endsWith('read') ? READ_RATE : WRITE_RATE)
          }
        },
      ),
      { numRuns: RUNS },
    )
    // Without throttled requests, this would prove nothing.
    expect(refused).toBeGreaterThan(1000)
  })

  it('by the partitions of an index during a backfill, wherever its last entry lies', async () => {
    const bench = new BehaviourBench(
      {},
      { delays: { backfillIndex: 60_000 }, capacity: { indexPartitionBurstSeconds: 1 } },
    )
    const kindOf = (index: number) => ({ kind: { S: index % 3 === 0 ? `cold-${index}` : 'hot' } })
    for (let index = 0; index < 6000; index++) {
      bench.clock.advance(1)
      bench.ask('PutItem', { Item: item(`key-${index}`, 'a', 100, kindOf(index)) })
    }
    const from = bench.clock.now()
    await bench.clock.run(async () => {
      bench.ask('UpdateTable', addIndex(TABLE, 'by_kind', ['kind']))
      for (let step = 0; step < 100; step++) {
        for (const { write } of bench.partitions('by_kind')) {
          const seconds = (bench.clock.now() - from) / 1000
          expect(write.consumedUnits).toBeLessThanOrEqual(1000 * seconds + 1000 + 1)
        }
        await bench.clock.sleep(100)
      }
    })
    expect(takenFromIndex(bench)).toBe(6000)
  })

  it('in the metrics too, when limits are not enforced', () => {
    const bench = new BehaviourBench(provisioned(1, 1), { throttle: false })
    for (let index = 0; index < 2000; index++) bench.ask('PutItem', { Item: item('one', `${index}`, 100) })
    expect(bench.partitions().map(({ write }) => write.consumedUnits)).toEqual([2000])
  })
})
