import fc from 'fast-check'
import { afterEach, describe, expect, inject, it, vi } from 'vitest'
import { KeyspaceCapacity } from '../capacity/keyspace-capacity.js'
import { ServiceError } from '../errors/service-error.js'
import { BehaviourBench, item, provisioned } from './behaviour-bench.js'

const RUNS = inject('trials') === 'many' ? 60 : 20

const PARTITION_RATE = 10
const INDEX_BURST_SECONDS = 3

interface Taken {
  readonly partition: number
  readonly units: number
  readonly at: number
}

interface Step {
  readonly afterMilliseconds: number
  readonly operation: 'put' | 'transact' | 'query' | 'report'
  readonly key: number
  readonly kind: number
  readonly bytes: number
}

const step: fc.Arbitrary<Step> = fc.record({
  afterMilliseconds: fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 0, max: 60 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 4000 }) },
  ),
  operation: fc.constantFrom('put', 'put', 'transact', 'query', 'report'),
  key: fc.integer({ min: 0, max: 9 }),
  kind: fc.integer({ min: 0, max: 5 }),
  bytes: fc.integer({ min: 30, max: 3000 }),
})

/** Tables whose index soon exhausts its partitions or its own throughput, with its rate in units per second. */
const limits = [
  { rate: 6, table: provisioned(12, 6), own: { units: { read: 12, write: 6 } } },
  { rate: 15, table: {}, own: { OnDemandThroughput: { MaxReadRequestUnits: 9, MaxWriteRequestUnits: 15 } } },
]

function newBench(
  { table, own }: (typeof limits)[number],
  model: 'adaptive' | 'classic',
  indexLagMilliseconds: number,
): BehaviourBench {
  return new BehaviourBench(
    { ...table, global: { by_kind: { key: ['kind'], ...own } } },
    {
      capacity: {
        model,
        partitionWriteUnitsPerSecond: PARTITION_RATE,
        indexPartitionBurstSeconds: 1,
        onDemandPartitions: 3,
        tableBurstSeconds: INDEX_BURST_SECONDS,
        onDemandMaximumBurstSeconds: INDEX_BURST_SECONDS,
        heatSeconds: 5,
        partitionBytes: 20_000,
      },
      propagation: { indexQueueUnits: 5, indexLagMilliseconds },
    },
  )
}

/** Write units that the response reports, or 0 when the request was throttled. */
async function reportedOf(bench: BehaviourBench, { operation, key, kind, bytes }: Step): Promise<number> {
  const Item = item(`key-${key}`, 'a', bytes, { kind: { S: `kind-${kind}` } })
  const total = { ReturnConsumedCapacity: 'TOTAL' }
  try {
    switch (operation) {
      case 'put':
        return bench.ask('PutItem', { Item, ...total }).ConsumedCapacity.CapacityUnits
      case 'transact': {
        const TransactItems = [{ Put: { TableName: 'events', Item } }]
        const answer = await bench.ask('TransactWriteItems', { TransactItems, ...total })
        return answer.ConsumedCapacity[0].CapacityUnits
      }
      case 'query':
        bench.failureOf('Query', {
          IndexName: 'by_kind',
          KeyConditionExpression: 'kind = :k',
          ExpressionAttributeValues: { ':k': { S: `kind-${kind}` } },
        })
        return 0
      case 'report':
        bench.partitions('by_kind')
        return 0
    }
  } catch (error) {
    if (error instanceof ServiceError) return 0
    throw error
  }
}

const sum = (taken: readonly Taken[]) => taken.reduce((units, each) => units + each.units, 0)

/** In any window, no more units are taken than the rate allows for that time, plus the saved units and one write. */
function expectNoWindowToHoldTooMuch(taken: readonly Taken[], rate: number, saved: number): void {
  for (const [first, begin] of taken.entries()) {
    let units = 0
    for (const end of taken.slice(first)) {
      units += end.units
      expect(units).toBeLessThanOrEqual((rate * (end.at - begin.at)) / 1000 + saved + end.units + 1e-3)
    }
  }
}

describe('the capacity of an index that is behind its table', () => {
  afterEach(() => vi.restoreAllMocks())

  it('is conserved, by its partitions and as a whole, over any window; units taken equal the units reported', async () => {
    const taken: (Taken & { readonly isIndex: boolean })[] = []
    const { take } = KeyspaceCapacity.prototype
    vi.spyOn(KeyspaceCapacity.prototype, 'take').mockImplementation(function (
      this: KeyspaceCapacity,
      ...[kind, partition, key, units, at]: Parameters<KeyspaceCapacity['take']>
    ) {
      const isIndex = this.resource.includes('/index/')
      if (kind === 'write') taken.push({ isIndex, partition: partition.id, units, at })
      take.call(this, kind, partition, key, units, at)
    })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...limits),
        fc.constantFrom('adaptive' as const, 'classic' as const),
        fc.constantFrom(0, 0, 300),
        fc.array(step, { minLength: 50, maxLength: 250, size: 'max' }),
        async (limit, model, lag, steps) => {
          taken.length = 0
          const bench = newBench(limit, model, lag)
          let reported = 0
          for (const each of steps) {
            bench.clock.advance(each.afterMilliseconds)
            reported += await reportedOf(bench, each)
          }
          bench.clock.advance(3_600_000)
          const partitions = bench.partitions('by_kind')
          expect(sum(taken)).toBeCloseTo(reported, 6)
          const ofIndex = taken.filter(({ isIndex }) => isIndex)
          expectNoWindowToHoldTooMuch(ofIndex, limit.rate, limit.rate * INDEX_BURST_SECONDS)
          for (const { id, write } of partitions) {
            const own = ofIndex.filter(({ partition }) => partition === id)
            expect(write.consumedUnits).toBeCloseTo(sum(own), 6)
            expectNoWindowToHoldTooMuch(own, PARTITION_RATE, PARTITION_RATE)
          }
        },
      ),
      { numRuns: RUNS },
    )
  })
})
