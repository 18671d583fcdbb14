import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import type { CapacityParameters } from '../capacity/capacity-parameters.js'
import { MemoryStorage } from '../storage/memory-storage.js'
import type { PartitionEvent } from '../table/catalog.js'
import { ServiceError } from '../wire/service-error.js'
import { Engine } from './engine.js'

const REGION = 'eu-central-1'
const ARN = `arn:aws:dynamodb:${REGION}:000000000000:table/events`

interface Bench {
  readonly engine: Engine
  readonly clock: VirtualClock
  readonly events: PartitionEvent[]
  readonly random: SeededRandom
}

function newBench(table: object = {}, capacity: Partial<CapacityParameters> = {}, throttle = true): Bench {
  const clock = new VirtualClock(1_800_000_000_000)
  const events: PartitionEvent[] = []
  const random = new SeededRandom(5)
  const engine = new Engine({
    storage: new MemoryStorage(),
    clock,
    random,
    capacity,
    throttle,
    onPartitionEvent: (event) => events.push(event),
    stopwatch: clock,
  })
  engine.execute(
    'CreateTable',
    {
      TableName: 'events',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      ...table,
    },
    REGION,
  )
  return { engine, clock, events, random }
}

const provisioned = (read: number, write: number) => ({
  BillingMode: 'PROVISIONED',
  ProvisionedThroughput: { ReadCapacityUnits: read, WriteCapacityUnits: write },
})

/** Sends `perSecond` requests a second for so many seconds, evenly, and counts what came of them in each second. */
function drive(
  bench: Bench,
  seconds: number,
  perSecond: number,
  request: (index: number) => [string, object],
) {
  const accepted = new Array<number>(seconds).fill(0)
  const refusals = new Map<string, number>()
  let index = 0
  for (let second = 0; second < seconds; second++) {
    for (let tick = 0; tick < 100; tick++) {
      for (let part = 0; part < perSecond / 100; part++) {
        const [operation, input] = request(index++)
        try {
          bench.engine.execute(operation, { TableName: 'events', ...input }, REGION)
          accepted[second] = (accepted[second] ?? 0) + 1
        } catch (error) {
          const reason = reasonOf(error)
          refusals.set(reason, (refusals.get(reason) ?? 0) + 1)
        }
      }
      bench.clock.advance(10)
    }
  }
  return { accepted, refusals }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof ServiceError)) throw error
  const reasons = (error.members.ThrottlingReasons ?? error.members.throttlingReasons) as
    | { reason: string; resource: string }[]
    | undefined
  return `${error.name} ${reasons?.map(({ reason, resource }) => `${reason} ${resource}`).join()}`
}

const put = (pk: string, sk: string): [string, object] => [
  'PutItem',
  { Item: { pk: { S: pk }, sk: { S: sk } } },
]
const growing = (index: number) => String(index).padStart(9, '0')
const average = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length

describe('a partition', () => {
  it('gives one partition key 1,000 writes a second, however much is asked for and however long', () => {
    const { accepted, refusals } = drive(newBench(), 60, 2500, (index) => put('one', growing(index)))
    expect(average(accepted.slice(5))).toBeGreaterThan(995)
    expect(average(accepted.slice(5))).toBeLessThan(1005)
    expect([...refusals.keys()]).toEqual([`ThrottlingException TableWriteKeyRangeThroughputExceeded ${ARN}`])
  })

  it('gives 3,000 strong reads a second, apart from its writes', () => {
    const bench = newBench()
    bench.engine.execute(
      'PutItem',
      { TableName: 'events', Item: { pk: { S: 'one' }, sk: { S: 'a' } } },
      REGION,
    )
    const read: [string, object] = [
      'GetItem',
      { Key: { pk: { S: 'one' }, sk: { S: 'a' } }, ConsistentRead: true },
    ]
    const { accepted } = drive(bench, 10, 5000, (index) => (index % 5 === 0 ? put('one', 'a') : read))
    const [reads, writes] = [3000, 1000]
    expect(Math.abs(average(accepted.slice(5)) - reads - writes)).toBeLessThan(20)
  })

  it('throttles the innocent neighbours of a hot key, and nobody elsewhere', () => {
    const bench = newBench()
    const half = drive(bench, 20, 4000, (index) =>
      index % 2 === 0 ? put('hot', growing(index)) : put(`key-${index % 997}`, growing(index)),
    )
    // The hot key's partition gets 2,500 and gives 1,000; the other three get 500 each and give all of it.
    expect(Math.abs(average(half.accepted.slice(5)) - 2500)).toBeLessThan(120)
  })

  it('lends an idle second of its rate, and no more', () => {
    const bench = newBench()
    const { accepted } = drive(bench, 3, 10_000, (index) => put('one', growing(index)))
    expect(accepted[0]).toBeLessThanOrEqual(2010)
    expect(accepted[0]).toBeGreaterThan(1900)
    expect(accepted[1]).toBeLessThanOrEqual(1010)
  })
})

describe('a new on-demand table', () => {
  it('carries 4,000 writes a second of an even load, and not 5,000', () => {
    const even = (index: number) => put(`key-${(index * 7919) % 100_003}`, 'a')
    const { accepted } = drive(newBench(), 20, 5000, even)
    expect(average(accepted.slice(5))).toBeGreaterThan(3900)
    expect(average(accepted.slice(5))).toBeLessThan(4020)
  })

  it('costs a scan at least one unit for each of its four partitions', () => {
    const { engine } = newBench()
    engine.execute('PutItem', { TableName: 'events', Item: { pk: { S: 'a' }, sk: { S: 'a' } } }, REGION)
    const unitsOf = (ConsistentRead: boolean) =>
      engine.execute('Scan', { TableName: 'events', ConsistentRead, ReturnConsumedCapacity: 'TOTAL' }, REGION)
    expect(unitsOf(true)).toMatchObject({ ConsumedCapacity: { CapacityUnits: 4 } })
    expect(unitsOf(false)).toMatchObject({ ConsumedCapacity: { CapacityUnits: 2 } })
  })
})

describe('split for heat', () => {
  const soon = { heatSeconds: 20 }

  it('splits a set of ten hot keys until it is carried', () => {
    const bench = newBench({}, { ...soon, onDemandPartitions: 1 })
    const { accepted } = drive(bench, 240, 2500, (index) =>
      put(`key-${index % 10}`, growing(bench.random.next() * 1e8)),
    )
    expect(accepted[15]).toBeLessThan(1100)
    expect(average(accepted.slice(-20))).toBeGreaterThan(2490)
    expect(bench.events.filter(({ type }) => type === 'split').length).toBeGreaterThanOrEqual(2)
  })

  it('leaves one hot item as it is', () => {
    const bench = newBench({}, { ...soon, onDemandPartitions: 1 })
    const { accepted } = drive(bench, 120, 2000, () => put('one', 'item'))
    expect(average(accepted.slice(-20))).toBeLessThan(1005)
    expect(new Set(bench.events.map((event) => (event.type === 'split' ? 'split' : event.because)))).toEqual(
      new Set(['one-hot-item']),
    )
  })

  it('leaves a sort key that only grows as it is', () => {
    const bench = newBench({}, { ...soon, onDemandPartitions: 1 })
    const { accepted } = drive(bench, 120, 2000, (index) => put('log', growing(index)))
    expect(average(accepted.slice(-20))).toBeLessThan(1005)
    expect(bench.events.every(({ type }) => type === 'split-refused')).toBe(true)
  })

  it('cuts an item collection by sort key when its load has no order', () => {
    const bench = newBench({}, { ...soon, onDemandPartitions: 1 })
    const anywhere = () => put('one', growing(Math.floor(bench.random.next() * 1e8)))
    const { accepted } = drive(bench, 120, 1800, anywhere)
    expect(average(accepted.slice(-20))).toBeGreaterThan(1790)
  })

  it('does not happen to a partition that is merely busy', () => {
    const bench = newBench({}, soon)
    drive(bench, 60, 800, (index) => put('one', growing(index)))
    expect(bench.events).toEqual([])
  })
})

describe('a provisioned table', () => {
  it('throttles all keys alike at its own limit, and says that it was the table', () => {
    const { accepted, refusals } = drive(newBench(provisioned(100, 200)), 30, 500, (index) =>
      put(`key-${index % 977}`, 'a'),
    )
    expect(Math.abs(average(accepted.slice(5)) - 200)).toBeLessThan(5)
    expect([...refusals.keys()]).toEqual([
      `ProvisionedThroughputExceededException TableWriteProvisionedThroughputExceeded ${ARN}`,
    ])
  })

  it('saves unused capacity for bursts: 300 seconds of it, and no more', () => {
    const bench = newBench(provisioned(100, 10))
    bench.clock.advance(3_600_000)
    const { accepted } = drive(bench, 10, 900, (index) => put(`key-${index % 977}`, 'a'))
    const total = accepted.reduce((sum, each) => sum + each, 0)
    expect(total).toBeGreaterThanOrEqual(3000 + 100)
    expect(total).toBeLessThanOrEqual(3000 + 100 + 10)
  })

  it('still gives a hot key no more than a partition has', () => {
    const bench = newBench(provisioned(100, 4000))
    const { accepted, refusals } = drive(bench, 20, 2500, (index) => put('one', growing(index)))
    expect(average(accepted.slice(5))).toBeLessThan(1005)
    expect([...refusals.keys()]).toEqual([
      `ProvisionedThroughputExceededException TableWriteKeyRangeThroughputExceeded ${ARN}`,
    ])
  })

  it('gets what UpdateTable raises it to', () => {
    const bench = newBench(provisioned(100, 100))
    drive(bench, 10, 900, (index) => put(`key-${index % 977}`, 'a'))
    const { BillingMode, ...more } = provisioned(100, 800)
    bench.engine.execute('UpdateTable', { TableName: 'events', ...more }, REGION)
    const { accepted } = drive(bench, 10, 1500, (index) => put(`key-${index % 977}`, 'a'))
    expect(BillingMode).toBe('PROVISIONED')
    expect(Math.abs(average(accepted.slice(2)) - 800)).toBeLessThan(20)
  })
})

describe('a global secondary index', () => {
  const withStatusIndex = {
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
      { AttributeName: 'status', AttributeType: 'S' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by_status',
        KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  }
  const register = (index: number, extra: object): [string, object] => [
    'PutItem',
    { Item: { pk: { S: `key-${index}` }, sk: { S: 'a' }, ...extra } },
  ]

  it('with two values throttles the writes of its table, and names itself as the reason', () => {
    const { accepted, refusals } = drive(newBench(withStatusIndex), 20, 3000, (index) =>
      register(index, { status: { S: 'new' } }),
    )
    expect(Math.abs(average(accepted.slice(5)) - 1000)).toBeLessThan(10)
    expect([...refusals.keys()]).toEqual([
      `ThrottlingException IndexWriteKeyRangeThroughputExceeded ${ARN}/index/by_status`,
    ])
  })

  it('costs nothing for items without its key', () => {
    const { accepted } = drive(newBench(withStatusIndex), 10, 3000, (index) => register(index, {}))
    expect(average(accepted)).toBe(3000)
  })
})

describe('a throttled request', () => {
  it('changes nothing and takes nothing', () => {
    const bench = newBench(provisioned(100, 1))
    const statuses = [1, 2, 3, 4].map((attempt) => {
      try {
        bench.engine.execute(
          'PutItem',
          {
            TableName: 'events',
            Item: { pk: { S: 'one' }, sk: { S: 'a' }, attempt: { N: String(attempt) } },
          },
          REGION,
        )
        return 'accepted'
      } catch (error) {
        return reasonOf(error).split(' ')[0]
      }
    })
    expect(statuses[0]).toBe('accepted')
    expect(statuses.slice(1).every((status) => status === 'ProvisionedThroughputExceededException')).toBe(
      true,
    )
    const key = { pk: { S: 'one' }, sk: { S: 'a' } }
    const read = bench.engine.execute('GetItem', { TableName: 'events', Key: key }, REGION)
    expect(read).toMatchObject({ Item: { attempt: { N: '1' } } })
    const consumed = bench.engine
      .partitions(REGION, 'events')
      ?.map((partition) => partition.write.consumedUnits)
    expect(consumed?.reduce((sum, units) => sum + units, 0)).toBe(1)
  })

  it('is let through when limits are not enforced, and counted all the same', () => {
    const bench = newBench(provisioned(1, 1), {}, false)
    const { accepted } = drive(bench, 2, 1000, (index) => put('one', growing(index)))
    expect(accepted).toEqual([1000, 1000])
    const consumed = bench.engine
      .partitions(REGION, 'events')
      ?.map((partition) => partition.write.consumedUnits)
    expect(consumed).toEqual([2000])
  })
})
