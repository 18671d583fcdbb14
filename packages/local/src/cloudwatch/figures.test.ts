import {
  BatchExecuteStatementCommand,
  BatchWriteItemCommand,
  DeleteTableCommand,
  ExecuteTransactionCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams'
import { addIndex, createTable, type TableShape } from '@isotherm/fixtures'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EngineFixture } from '../engine/engine.fixture.js'
import { LocalError } from '../errors/local-error.js'
import { SPENT_INDEXES } from '../spent-indexes.js'
import { MemoryStorage } from '../storage/memory-storage.js'
import { CloudwatchFixture, START } from './cloudwatch.fixture.js'

const createThings = (shape: TableShape = {}) =>
  createTable('things', ['pk'], { global: { by_status: ['status'] }, ...shape })

/** A disk that is full when the test says so. */
class FailingStorage extends MemoryStorage {
  isFailing = false
  override failures = 0

  override write(...writes: Parameters<MemoryStorage['write']>): ReturnType<MemoryStorage['write']> {
    if (this.isFailing) {
      this.failures++
      throw new LocalError('storage.full', 'The disk is full.', {})
    }
    return super.write(...writes)
  }
}

const THINGS = { TableName: 'things' }
const BY_STATUS = { ...THINGS, GlobalSecondaryIndexName: 'by_status' }

let fixture: CloudwatchFixture

beforeEach(() => {
  fixture = new CloudwatchFixture()
})

afterEach(() => fixture.local.close())

const send: CloudwatchFixture['client']['send'] = ((command: never) => fixture.client.send(command)) as never
const ignore = () => undefined

function put(pk: string, more: Record<string, { S: string } | { N: string }> = {}) {
  return send(new PutItemCommand({ ...THINGS, Item: { pk: { S: pk }, ...more } }))
}

/** A table with one write and one read unit per second, and with no units left in its first second. */
async function exhaustedTable() {
  await send(createTable('things', ['pk'], { units: 1 }))
  await put('a')
  await send(new GetItemCommand({ ...THINGS, Key: { pk: { S: 'a' } }, ConsistentRead: true }))
}

describe('consumed capacity', () => {
  it('is summed by minute, separately for table and index', async () => {
    await send(createThings())
    await put('a', { status: { S: 'new' } })
    await put('b')
    fixture.clock.advance(60_000)
    await put('c', { text: { S: 'x'.repeat(3000) } })
    await send(new GetItemCommand({ ...THINGS, Key: { pk: { S: 'a' } } }))
    expect(await fixture.sums('ConsumedWriteCapacityUnits')).toEqual([2, 3])
    expect(await fixture.sums('ConsumedWriteCapacityUnits', BY_STATUS)).toEqual([1])
    expect(await fixture.sums('ConsumedReadCapacityUnits')).toEqual([0, 0.5])
    expect(await fixture.sums('ConsumedReadCapacityUnits', BY_STATUS)).toEqual([0])
  })

  it('has one sample of zero in a minute without any, once the minute is over', async () => {
    fixture.clock.advance(30_000)
    await send(createThings())
    fixture.clock.advance(30_000)
    expect(await fixture.sums('ConsumedReadCapacityUnits')).toEqual([])
    fixture.clock.advance(90_000)
    for (const status of ['new', 'old']) await put('a', { status: { S: status } })
    fixture.clock.advance(240_000)
    const counts = ['SampleCount', 'Average', 'Minimum'] as const
    expect(await fixture.points('ConsumedWriteCapacityUnits', BY_STATUS, counts, 10)).toMatchObject([
      { SampleCount: 7, Average: 3 / 7, Minimum: 0 },
    ])
    expect(await fixture.sums('ConsumedWriteCapacityUnits')).toEqual([0, 2, 0, 0, 0])
  })

  it('has the minimum, the maximum and the average of a request, and the number of requests', async () => {
    await send(createThings())
    await put('a')
    await put('b', { text: { S: 'x'.repeat(4000) } })
    const all = ['SampleCount', 'Sum', 'Average', 'Minimum', 'Maximum'] as const
    expect(await fixture.points('ConsumedWriteCapacityUnits', THINGS, all)).toEqual([
      {
        Timestamp: new Date(START),
        SampleCount: 2,
        Sum: 5,
        Average: 2.5,
        Minimum: 1,
        Maximum: 4,
        Unit: 'Count',
      },
    ])
  })

  it('counts a failed condition once, and a throttled request not at all', async () => {
    await exhaustedTable()
    await put('b').catch(ignore)
    expect(await fixture.sums('ConsumedWriteCapacityUnits')).toEqual([1])
    fixture.clock.advance(60_000)
    const failing = new PutItemCommand({
      ...THINGS,
      Item: { pk: { S: 'a' } },
      ConditionExpression: 'attribute_not_exists(pk)',
    })
    await expect(send(failing)).rejects.toThrow('The conditional request failed')
    expect(await fixture.sums('ConsumedWriteCapacityUnits')).toEqual([1, 1])
    expect(await fixture.sums('ConditionalCheckFailedRequests')).toEqual([1])
  })

  it('of a local index counts with its write, and so does a throttle', async () => {
    const local = { by_time: { sort: 'at', projected: 'KEYS_ONLY' } } as const
    await send(createTable('things', ['pk', 'sk'], { units: 1, local }))
    await put('a', { sk: { S: 'x' }, at: { S: 'today' } })
    await put('a', { sk: { S: 'y' }, at: { S: 'today' } }).catch(ignore)
    const all = ['SampleCount', 'Sum', 'Minimum'] as const
    expect(await fixture.points('ConsumedWriteCapacityUnits', THINGS, all)).toMatchObject([
      { SampleCount: 1, Sum: 2, Minimum: 2 },
    ])
    expect(await fixture.sums('WriteThrottleEvents')).toEqual([1])
  })

  it('of an index that was behind counts in the minute when the index was updated', async () => {
    await fixture.local.close()
    fixture = new CloudwatchFixture({ propagation: { indexLagMilliseconds: 30_000 } })
    await send(createThings())
    await put('a', { status: { S: 'new' } })
    fixture.clock.advance(120_000)
    const points = await fixture.points('ConsumedWriteCapacityUnits', BY_STATUS)
    expect(points.map(({ Timestamp, Sum }) => [Timestamp, Sum])).toEqual([
      [new Date(START), 1],
      [new Date(START + 60_000), 0],
    ])
  })
})

describe('provisioned capacity', () => {
  it('is published every five minutes, with its value at that time, until the table is deleted', async () => {
    await exhaustedTable()
    fixture.clock.advance(7 * 60_000)
    await send(
      new UpdateTableCommand({
        ...THINGS,
        ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 5 },
      }),
    )
    fixture.clock.advance(6 * 60_000)
    await send(new DeleteTableCommand(THINGS))
    fixture.clock.advance(60 * 60_000)
    expect(await fixture.sums('ProvisionedWriteCapacityUnits')).toEqual([1, 1, 5])
    expect(await fixture.sums('ProvisionedReadCapacityUnits')).toEqual([1, 1, 1])
    expect(await fixture.sums('ConsumedWriteCapacityUnits')).toEqual([1, ...Array(12).fill(0)])
  })

  it('ends when the deletion is complete, even if nothing reads it then', async () => {
    await fixture.local.close()
    fixture = new CloudwatchFixture({ controlPlaneDelays: { deleteTable: 400_000, deleteIndex: 400_000 } })
    await send(createThings({ units: 1 }))
    const Delete = { IndexName: 'by_status' }
    await send(new UpdateTableCommand({ ...THINGS, GlobalSecondaryIndexUpdates: [{ Delete }] }))
    fixture.clock.advance(900_000)
    await send(new DeleteTableCommand(THINGS))
    fixture.clock.advance(3_600_000)
    expect(await fixture.sums('ProvisionedWriteCapacityUnits', BY_STATUS)).toEqual([1, 1])
    expect(await fixture.sums('ConsumedReadCapacityUnits', BY_STATUS)).toEqual(Array(7).fill(0))
    expect(await fixture.sums('ProvisionedWriteCapacityUnits')).toEqual([1, 1, 1, 1, 1])
  })

  it('is replaced by on-demand maximums', async () => {
    const OnDemandThroughput = { MaxReadRequestUnits: 7, MaxWriteRequestUnits: 9 }
    await send(createThings({ OnDemandThroughput }))
    expect(await fixture.sums('OnDemandMaxReadRequestUnits')).toEqual([7])
    expect(await fixture.sums('OnDemandMaxWriteRequestUnits')).toEqual([9])
    expect(await fixture.sums('ProvisionedReadCapacityUnits')).toEqual([])
  })
})

describe('throttles', () => {
  it('are counted as events, by reason, and as requests', async () => {
    await exhaustedTable()
    await put('b').catch(ignore)
    await put('c').catch(ignore)
    await send(new ScanCommand({ ...THINGS, ConsistentRead: true })).catch(ignore)
    expect(await fixture.sums('WriteThrottleEvents')).toEqual([2])
    expect(await fixture.sums('WriteProvisionedThroughputThrottleEvents')).toEqual([2])
    expect(await fixture.sums('ReadThrottleEvents')).toEqual([1])
    expect(await fixture.sums('ReadProvisionedThroughputThrottleEvents')).toEqual([1])
    expect(await fixture.sums('ThrottledRequests', { ...THINGS, Operation: 'PutItem' })).toEqual([2])
    expect(await fixture.sums('ThrottledRequests', { ...THINGS, Operation: 'Scan' })).toEqual([1])
    expect(await fixture.sums('UserErrors', {})).toEqual([])
  })

  it('of a batch count as a request only when all members were throttled', async () => {
    await exhaustedTable()
    fixture.clock.advance(1_000)
    const batch = new BatchWriteItemCommand({
      RequestItems: { things: ['a', 'b'].map((pk) => ({ PutRequest: { Item: { pk: { S: pk } } } })) },
    })
    const { UnprocessedItems } = await send(batch)
    expect(UnprocessedItems?.things).toHaveLength(1)
    expect(await fixture.sums('ThrottledRequests', { ...THINGS, Operation: 'BatchWriteItem' })).toEqual([])
    await send(batch).catch(ignore)
    expect(await fixture.sums('ThrottledRequests', { ...THINGS, Operation: 'BatchWriteItem' })).toEqual([1])
    expect(await fixture.sums('WriteThrottleEvents')).toEqual([3])
  })

  it('by an index count for the index, and not for its table', async () => {
    await fixture.local.close()
    fixture = new CloudwatchFixture(SPENT_INDEXES)
    await send(createThings())
    for (let first = 0; first < 2_500; first += 25) {
      const things = Array.from({ length: 25 }, (_, each) => ({
        PutRequest: { Item: { pk: { S: `${first + each}` }, status: { S: 'new' } } },
      }))
      await send(new BatchWriteItemCommand({ RequestItems: { things } })).catch(ignore)
    }
    const events = await fixture.sums('WriteThrottleEvents', BY_STATUS)
    expect(events[0]).toBeGreaterThan(0)
    expect(await fixture.sums('WriteThrottleEvents')).toEqual([])
  })

  it('identify a hot partition', async () => {
    await send(createThings())
    const large = { text: { S: 'x'.repeat(300_000) } }
    for (let times = 0; times < 8; times++) await put('hot', large).catch(ignore)
    const events = await fixture.sums('WriteKeyRangeThroughputThrottleEvents')
    expect(events).toEqual([expect.any(Number)])
    expect(events).toEqual(await fixture.sums('WriteThrottleEvents'))
  })

  it('identify the maximum of an on-demand table, and the account', async () => {
    await send(createThings({ OnDemandThroughput: { MaxWriteRequestUnits: 1 } }))
    for (let times = 0; times < 20; times++) await put('a').catch(ignore)
    const events = await fixture.sums('WriteMaxOnDemandThroughputThrottleEvents')
    expect(events).toEqual(await fixture.sums('WriteThrottleEvents'))
    expect(events[0]).toBeGreaterThan(0)

    await fixture.local.close()
    fixture = new CloudwatchFixture({ capacity: { tableUnitsPerSecond: 1, accountBurstSeconds: 1 } })
    await send(createThings())
    const read = () => send(new GetItemCommand({ ...THINGS, Key: { pk: { S: 'a' } } }))
    for (let times = 0; times < 20; times++) await read().catch(ignore)
    const reads = await fixture.sums('ReadAccountLimitThrottleEvents')
    expect(reads).toEqual(await fixture.sums('ReadThrottleEvents'))
    expect(reads[0]).toBeGreaterThan(0)
  })
})

describe('requests', () => {
  it('that succeed are counted with their latency, by operation', async () => {
    await send(createThings())
    await put('a')
    await put('b')
    await put('c', { pk: { N: '1' } }).catch(ignore)
    const of = { ...THINGS, Operation: 'PutItem' }
    const points = await fixture.points('SuccessfulRequestLatency', of, ['SampleCount', 'Average'])
    expect(points).toEqual([{ Timestamp: new Date(START), SampleCount: 2, Average: 0, Unit: 'Milliseconds' }])
    expect(await fixture.sums('UserErrors', {})).toEqual([1])
  })

  it('report the number of items returned, after any filter', async () => {
    await send(createThings())
    await put('a', { status: { S: 'new' } })
    await put('b', { status: { S: 'new' } })
    await send(new ScanCommand(THINGS))
    await send(
      new QueryCommand({
        ...THINGS,
        IndexName: 'by_status',
        KeyConditionExpression: '#s = :s',
        FilterExpression: 'pk = :a',
        ExpressionAttributeNames: { '#s': 'status' },
        ExpressionAttributeValues: { ':s': { S: 'new' }, ':a': { S: 'a' } },
      }),
    )
    expect(await fixture.sums('ReturnedItemCount', { ...THINGS, Operation: 'Scan' })).toEqual([2])
    expect(await fixture.sums('ReturnedItemCount', { ...THINGS, Operation: 'Query' })).toEqual([1])
  })

  it('that conflict are counted, and so are their items', async () => {
    await fixture.local.close()
    fixture = new CloudwatchFixture({ transactionMilliseconds: 10 })
    await send(createThings())
    const both = new TransactWriteItemsCommand({
      TransactItems: ['a', 'b'].map((pk) => ({ Put: { ...THINGS, Item: { pk: { S: pk } } } })),
    })
    const outcomes = await fixture.clock.run(() => {
      const statements = ['a', 'b'].map((pk) => ({ Statement: `INSERT INTO things VALUE {'pk': '${pk}'}` }))
      const other = new ExecuteTransactionCommand({ TransactStatements: statements })
      return Promise.allSettled([send(both), send(other), put('a')])
    })
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    const points = await fixture.points('TransactionConflict', THINGS, ['Sum', 'SampleCount'])
    expect(points.map(({ Sum, SampleCount }) => [Sum, SampleCount])).toEqual([[3, 2]])
  })

  it('of a batch whose members conflict are counted with their items, too', async () => {
    await fixture.local.close()
    fixture = new CloudwatchFixture({ transactionMilliseconds: 10 })
    await send(createThings())
    const items = ['a', 'b', 'c'].map((pk) => ({ pk: { S: pk } }))
    const TransactItems = items.slice(0, 2).map((Item) => ({ Put: { ...THINGS, Item } }))
    const things = items.map((Item) => ({ PutRequest: { Item } }))
    const Statements = ['a', 'd'].map((pk) => ({ Statement: `DELETE FROM things WHERE pk = '${pk}'` }))
    const [, batch] = await fixture.clock.run(() =>
      Promise.all([
        send(new TransactWriteItemsCommand({ TransactItems })),
        send(new BatchWriteItemCommand({ RequestItems: { things } })),
        send(new BatchExecuteStatementCommand({ Statements })),
      ]),
    )
    expect(batch.UnprocessedItems?.things).toHaveLength(2)
    const points = await fixture.points('TransactionConflict', THINGS, ['Sum', 'SampleCount'])
    expect(points.map(({ Sum, SampleCount }) => [Sum, SampleCount])).toEqual([[3, 2]])
  })

  it('that fail in the engine are system errors of their operation', async () => {
    const storage = new FailingStorage()
    const engine = new EngineFixture({ storage })
    engine.ask('CreateTable', createThings().input)
    storage.isFailing = true
    expect(engine.failure('PutItem', { ...THINGS, Item: { pk: { S: 'a' } } })).toMatch(/^InternalServerError/)
    const { Datapoints } = engine.ask('GetMetricStatistics', {
      Namespace: 'AWS/DynamoDB',
      MetricName: 'SystemErrors',
      Dimensions: [
        { Name: 'Operation', Value: 'PutItem' },
        { Name: 'TableName', Value: 'things' },
      ],
      StartTime: START / 1000,
      EndTime: START / 1000 + 60,
      Period: 60,
      Statistics: ['Sum'],
    })
    expect(Datapoints).toMatchObject([{ Sum: 1 }])
  })

  it('that create a table which cannot be stored leave no metrics of it', () => {
    const storage = new FailingStorage()
    const engine = new EngineFixture({ storage })
    storage.isFailing = true
    expect(engine.failure('CreateTable', createThings().input)).toMatch(/^InternalServerError/)
    storage.isFailing = false
    expect(engine.ask('ListTables', {}).TableNames).toEqual([])
    engine.clock.advance(600_000)
    const { Metrics } = engine.ask('ListMetrics', { Dimensions: [{ Name: 'TableName' }] })
    expect(Metrics).toEqual([])
  })
})

describe("the service's own work", () => {
  it('is counted when items expire', async () => {
    await send(createThings())
    const TimeToLiveSpecification = { AttributeName: 'until', Enabled: true }
    await send(new UpdateTimeToLiveCommand({ ...THINGS, TimeToLiveSpecification }))
    const until = { N: String(START / 1000 + 30) }
    for (const pk of ['a', 'b']) await put(pk, { until, status: { S: 'new' } })
    fixture.clock.advance(60_000)
    await send(new ScanCommand(THINGS))
    expect(await fixture.sums('TimeToLiveDeletedItemCount')).toEqual([2])
    expect(await fixture.points('ConsumedWriteCapacityUnits', BY_STATUS, ['SampleCount'])).toMatchObject([
      { SampleCount: 2 },
    ])
  })

  it('is published during an index backfill, in percent', async () => {
    await fixture.local.close()
    fixture = new CloudwatchFixture({ controlPlaneDelays: { setUpIndex: 60_000, backfillIndex: 120_000 } })
    await send(createTable('things', ['pk']))
    await put('a', { status: { S: 'new' } })
    await send(new UpdateTableCommand(addIndex('things', 'by_status', ['status'])))
    await fixture.clock.run(() => fixture.clock.sleep(10 * 60_000))
    expect(await fixture.sums('OnlineIndexPercentageProgress', BY_STATUS)).toEqual([50, 100, 100])
    expect(await fixture.sums('OnlineIndexThrottleEvents', BY_STATUS)).toEqual([0, 0, 0])
    expect(await fixture.sums('OnlineIndexConsumedWriteCapacity', BY_STATUS)).toEqual([0, 0, 0])
    const query = new QueryCommand({
      ...THINGS,
      IndexName: 'by_status',
      KeyConditionExpression: '#s = :s',
      ExpressionAttributeNames: { '#s': 'status' },
      ExpressionAttributeValues: { ':s': { S: 'new' } },
    })
    expect((await send(query)).Count).toBe(1)
    expect(await fixture.sums('ConsumedWriteCapacityUnits', BY_STATUS)).toEqual(Array(10).fill(0))
  })

  it.each([
    [
      'the index',
      new UpdateTableCommand({
        ...THINGS,
        GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'by_status' } }],
      }),
    ],
    ['the table', new DeleteTableCommand(THINGS)],
  ])('ends when %s is deleted during the backfill', async (_what, command) => {
    await fixture.local.close()
    fixture = new CloudwatchFixture({ controlPlaneDelays: { setUpIndex: 60_000, backfillIndex: 600_000 } })
    await send(createTable('things', ['pk']))
    await send(new UpdateTableCommand(addIndex('things', 'by_status', ['status'])))
    await fixture.clock.run(() => fixture.clock.sleep(3 * 60_000))
    await send(command as DeleteTableCommand)
    await fixture.clock.run(() => fixture.clock.sleep(60 * 60_000))
    const published = await fixture.sums('OnlineIndexPercentageProgress', BY_STATUS)
    expect(published).toEqual([10, 20, 20])
  })
})

describe('a stream', () => {
  it('reports the number of records returned, and their size', async () => {
    await send(createThings({ stream: 'KEYS_ONLY' }))
    await put('a')
    const streams = new DynamoDBStreamsClient({ ...fixture.local.connection() })
    const { Streams: [stream] = [] } = await streams.send(new ListStreamsCommand({}))
    const StreamArn = stream?.StreamArn
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }))
    for (const { ShardId } of StreamDescription?.Shards ?? []) {
      const { ShardIterator } = await streams.send(
        new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
      )
      await streams.send(new GetRecordsCommand({ ShardIterator }))
    }
    const of = { ...THINGS, Operation: 'GetRecords', StreamLabel: stream?.StreamLabel ?? '' }
    expect(await fixture.sums('ReturnedRecordsCount', of)).toEqual([1])
    expect((await fixture.sums('ReturnedBytes', of))[0]).toBeGreaterThan(0)
    expect(await fixture.sums('SuccessfulRequestLatency', of)).toEqual([0])
  })
})

describe('an engine without metrics', () => {
  it('has no CloudWatch', async () => {
    await fixture.local.close()
    fixture = new CloudwatchFixture({ metrics: false })
    await send(createThings())
    await put('a')
    await expect(fixture.sums('ConsumedWriteCapacityUnits')).rejects.toThrow(
      expect.objectContaining({ name: 'UnknownOperationException' }),
    )
  })
})

describe('an engine that is reset', () => {
  it('drops its metrics', async () => {
    await send(createThings())
    await put('a')
    await fixture.local.reset()
    expect(await fixture.sums('ConsumedWriteCapacityUnits')).toEqual([])
  })
})
