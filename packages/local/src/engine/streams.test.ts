import { table } from '@isotherm/fixtures'
import { describe, expect, it } from 'vitest'
import { EngineFixture, REGION } from './engine.fixture.js'

const HOUR = 3_600_000

const FEED = table('feed', ['who', 'at:N'], { stream: 'NEW_AND_OLD_IMAGES' })
const put = (who: string, at: number, text = 'x') => ({
  TableName: 'feed',
  Item: { who: { S: who }, at: { N: String(at) }, text: { S: text } },
})
const key = (who: string, at: number) => ({
  TableName: 'feed',
  Key: { who: { S: who }, at: { N: String(at) } },
})

interface StreamRecord {
  readonly eventName: string
  readonly userIdentity?: object
  readonly dynamodb: {
    readonly SequenceNumber: string
    readonly Keys: { readonly who: { readonly S: string }; readonly at: { readonly N: string } }
    readonly NewImage?: object
    readonly OldImage?: object
  }
}

function started(more: object = {}, parts: ConstructorParameters<typeof EngineFixture>[0] = {}) {
  const fixture = new EngineFixture(parts)
  const { TableDescription } = fixture.ask('CreateTable', { ...FEED, ...more })
  return { fixture, arn: TableDescription.LatestStreamArn as string }
}

function shardsOf(fixture: EngineFixture, arn: string) {
  const shards: { ShardId: string; ParentShardId?: string; SequenceNumberRange: Record<string, string> }[] =
    []
  let ExclusiveStartShardId: string | undefined
  do {
    const { StreamDescription: page } = fixture.ask('DescribeStream', {
      StreamArn: arn,
      ExclusiveStartShardId,
    })
    shards.push(...page.Shards)
    ExclusiveStartShardId = page.LastEvaluatedShardId
  } while (ExclusiveStartShardId !== undefined)
  return shards
}

function readShard(fixture: EngineFixture, arn: string, shardId: string, Limit = 7): StreamRecord[] {
  const records: StreamRecord[] = []
  let { ShardIterator } = fixture.ask('GetShardIterator', {
    StreamArn: arn,
    ShardId: shardId,
    ShardIteratorType: 'TRIM_HORIZON',
  })
  while (ShardIterator !== undefined) {
    const page = fixture.ask('GetRecords', { ShardIterator, Limit })
    records.push(...page.Records)
    if (page.Records.length === 0) return records
    ShardIterator = page.NextShardIterator
  }
  return records
}

function readAll(fixture: EngineFixture, arn: string): StreamRecord[] {
  return shardsOf(fixture, arn).flatMap(({ ShardId }) => readShard(fixture, arn, ShardId))
}

describe('a stream', () => {
  it('holds every change once, in order, and nothing for a write without a change', () => {
    const { fixture, arn } = started()
    fixture.ask('PutItem', put('ada', 1, 'first'))
    fixture.ask('PutItem', put('ada', 1, 'first'))
    fixture.ask('UpdateItem', { ...key('ada', 1), UpdateExpression: 'REMOVE nothing_there' })
    fixture.ask('UpdateItem', {
      ...key('ada', 1),
      UpdateExpression: 'SET #t = :t',
      ExpressionAttributeNames: { '#t': 'text' },
      ExpressionAttributeValues: { ':t': { S: 'second' } },
    })
    fixture.ask('DeleteItem', key('ada', 1))
    fixture.ask('DeleteItem', key('ada', 1))
    const records = readAll(fixture, arn)
    expect(records.map(({ eventName }) => eventName)).toEqual(['INSERT', 'MODIFY', 'REMOVE'])
    expect(records[1]).toEqual({
      eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventName: 'MODIFY',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: REGION,
      dynamodb: {
        ApproximateCreationDateTime: 1_800_000_000,
        Keys: { who: { S: 'ada' }, at: { N: '1' } },
        NewImage: put('ada', 1, 'second').Item,
        OldImage: put('ada', 1, 'first').Item,
        SequenceNumber: expect.stringMatching(/^\d{21}$/),
        SizeBytes: expect.any(Number),
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    })
    const numbers = records.map(({ dynamodb }) => dynamodb.SequenceNumber)
    expect(numbers).toEqual([...numbers].sort())
  })

  it.each([
    ['KEYS_ONLY', false, false],
    ['NEW_IMAGE', true, false],
    ['OLD_IMAGE', false, true],
    ['NEW_AND_OLD_IMAGES', true, true],
  ])('shows of an item the images of %s', (StreamViewType, hasNew, hasOld) => {
    const { fixture, arn } = started({ StreamSpecification: { StreamEnabled: true, StreamViewType } })
    fixture.ask('PutItem', put('ada', 1, 'first'))
    fixture.ask('PutItem', put('ada', 1, 'second'))
    const change = readAll(fixture, arn)[1]?.dynamodb
    expect([change?.NewImage !== undefined, change?.OldImage !== undefined]).toEqual([hasNew, hasOld])
  })

  it('has a shard for each partition, and follows a split', () => {
    const { fixture, arn } = started({}, { capacity: { heatSeconds: 3 } })
    expect(shardsOf(fixture, arn)).toHaveLength(4)
    let written = 0
    for (let second = 0; second < 12; second++) {
      for (let n = 0; n < 1500; n++) {
        try {
          fixture.ask('PutItem', put('ada', ((second * 1500 + n) * 7919) % 100_000, `${written}`))
          written++
        } catch {
          // Throttled: the partition must be hot to be split.
        }
        fixture.clock.advance(1000 / 1500)
      }
    }
    const shards = shardsOf(fixture, arn)
    expect(shards.length).toBeGreaterThan(4)
    const parents = shards.filter(({ ShardId }) =>
      shards.some(({ ParentShardId }) => ParentShardId === ShardId),
    )
    expect(parents.length).toBeGreaterThan(0)
    for (const parent of parents) {
      const children = shards.filter(({ ParentShardId }) => ParentShardId === parent.ShardId)
      expect(children).toHaveLength(2)
      const { EndingSequenceNumber: end = '' } = parent.SequenceNumberRange
      for (const { SequenceNumberRange: range } of children) {
        expect(range.StartingSequenceNumber ?? '').toSatisfy((start: string) => start > end)
      }
      const filtered = fixture.ask('DescribeStream', {
        StreamArn: arn,
        ShardFilter: { Type: 'CHILD_SHARDS', ShardId: parent.ShardId },
      })
      expect(filtered.StreamDescription.Shards).toEqual(children)
    }
    expect(readAll(fixture, arn)).toHaveLength(written)
  }, 60_000)

  it('continues in a child shard after some hours, and drops records after a day', () => {
    const { fixture, arn } = started({
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
    })
    fixture.ask('PutItem', put('ada', 1))
    fixture.clock.advance(5 * HOUR)
    fixture.ask('PutItem', put('ada', 2))
    const [parent, child] = shardsOf(fixture, arn)
    expect(child?.ParentShardId).toBe(parent?.ShardId)
    expect(readAll(fixture, arn)).toHaveLength(2)
    const old = readShard(fixture, arn, parent?.ShardId ?? '')[0]?.dynamodb.SequenceNumber
    fixture.clock.advance(20 * HOUR)
    expect(readAll(fixture, arn).map(({ dynamodb }) => dynamodb.Keys.at.N)).toEqual(['2'])
    expect(
      fixture.failure('GetShardIterator', {
        StreamArn: arn,
        ShardId: child?.ShardId,
        ShardIteratorType: 'AT_SEQUENCE_NUMBER',
        SequenceNumber: old,
      }),
    ).toContain('TrimmedDataAccessException')
    fixture.clock.advance(40 * HOUR)
    fixture.ask('PutItem', put('ada', 3))
    expect([
      ...fixture.storage.open(`stream/${arn}`).range({ from: '' as never, to: undefined }),
    ]).toHaveLength(1)
  })

  it.each([
    ['from its beginning', 'TRIM_HORIZON', 0],
    ['from its only record', 'AT_SEQUENCE_NUMBER', 0],
    ['behind its end', 'LATEST', 0],
    ['from its beginning, after its records were trimmed', 'TRIM_HORIZON', 20],
    ['behind its end, after its records were trimmed', 'LATEST', 20],
  ])('ends for readers that read a closed shard %s', (_from, ShardIteratorType, hours) => {
    const { fixture, arn } = started({
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
    })
    fixture.ask('PutItem', put('ada', 1))
    fixture.clock.advance(5 * HOUR)
    fixture.ask('PutItem', put('ada', 2))
    fixture.clock.advance(hours * HOUR)
    // The shard was closed less than a day ago, so it is still listed.
    const [parent] = shardsOf(fixture, arn)
    const SequenceNumber = readShard(fixture, arn, parent?.ShardId ?? '')[0]?.dynamodb.SequenceNumber
    expect(SequenceNumber === undefined).toBe(hours > 0)
    const { ShardIterator } = fixture.ask('GetShardIterator', {
      StreamArn: arn,
      ShardId: parent?.ShardId,
      ShardIteratorType,
      ...(ShardIteratorType === 'AT_SEQUENCE_NUMBER' ? { SequenceNumber } : {}),
    })
    expect(fixture.ask('GetRecords', { ShardIterator }).NextShardIterator).toBeUndefined()
  })

  it('returns iterators at, after and behind a record, and accepts them for fifteen minutes', () => {
    const { fixture, arn } = started({
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 9, WriteCapacityUnits: 9 },
    })
    for (const at of [1, 2, 3]) fixture.ask('PutItem', put('ada', at))
    const [shard] = shardsOf(fixture, arn)
    const [, second] = readAll(fixture, arn)
    const iterator = (ShardIteratorType: string, SequenceNumber?: string) =>
      fixture.ask('GetShardIterator', {
        StreamArn: arn,
        ShardId: shard?.ShardId,
        ShardIteratorType,
        SequenceNumber,
      }).ShardIterator
    const count = (ShardIterator: string) => fixture.ask('GetRecords', { ShardIterator }).Records.length
    const number = second?.dynamodb.SequenceNumber
    expect(count(iterator('AT_SEQUENCE_NUMBER', number))).toBe(2)
    expect(count(iterator('AFTER_SEQUENCE_NUMBER', number))).toBe(1)
    const latest = iterator('LATEST')
    expect(count(latest)).toBe(0)
    fixture.ask('PutItem', put('ada', 4))
    expect(count(latest)).toBe(1)
    fixture.clock.advance(15 * 60_000)
    expect(fixture.failure('GetRecords', { ShardIterator: latest })).toContain('ExpiredIteratorException')
    expect(fixture.failure('GetRecords', { ShardIterator: 'forged' })).toBe(
      'ValidationException: Invalid ShardIterator',
    )
  })

  it.each([
    ['', false],
    [' that have been removed', true],
  ])('refuses a reader who is so late that it would miss records%s', (_which, areRemoved) => {
    const { fixture, arn } = started({
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 9, WriteCapacityUnits: 9 },
    })
    for (const at of [1, 2, 3]) fixture.ask('PutItem', put('ada', at))
    const [shard] = shardsOf(fixture, arn)
    const iterator = (ShardIteratorType: string) =>
      fixture.ask('GetShardIterator', { StreamArn: arn, ShardId: shard?.ShardId, ShardIteratorType })
        .ShardIterator
    fixture.clock.advance(24 * HOUR - 60_000)
    const { Records, NextShardIterator: late } = fixture.ask('GetRecords', {
      ShardIterator: iterator('TRIM_HORIZON'),
      Limit: 1,
    })
    const { NextShardIterator: inTime } = fixture.ask('GetRecords', {
      ShardIterator: iterator('TRIM_HORIZON'),
    })
    fixture.clock.advance(120_000)
    if (areRemoved) fixture.ask('PutItem', put('ada', 4))
    expect(Records).toHaveLength(1)
    expect(fixture.failure('GetRecords', { ShardIterator: late })).toContain('TrimmedDataAccessException')
    for (const ShardIterator of [inTime, iterator('TRIM_HORIZON'), iterator('LATEST')]) {
      fixture.ask('GetRecords', { ShardIterator })
    }
  })

  it('remains readable for a day after its table or itself ended, also after a restart', () => {
    const { fixture, arn } = started()
    fixture.ask('PutItem', put('ada', 1))
    fixture.restart()
    fixture.ask('PutItem', put('ada', 2))
    fixture.ask('UpdateTable', { TableName: 'feed', StreamSpecification: { StreamEnabled: false } })
    fixture.ask('PutItem', put('ada', 3))
    expect(fixture.ask('DescribeTable', { TableName: 'feed' }).Table).toMatchObject({ LatestStreamArn: arn })
    fixture.clock.advance(1)
    fixture.ask('UpdateTable', {
      TableName: 'feed',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    })
    fixture.ask('DeleteTable', { TableName: 'feed' })
    expect(fixture.ask('ListStreams', { TableName: 'feed' }).Streams).toHaveLength(2)
    const records = readAll(fixture, arn)
    expect(records.map(({ dynamodb }) => dynamodb.Keys.at.N)).toEqual(['1', '2'])
    const [open] = shardsOf(fixture, arn)
    expect(open?.SequenceNumberRange.EndingSequenceNumber).toBeDefined()
    fixture.clock.advance(24 * HOUR + 1)
    expect(fixture.failure('DescribeStream', { StreamArn: arn })).toBe(
      `ResourceNotFoundException: Requested resource not found: Stream: ${arn} not found`,
    )
    expect(fixture.ask('ListStreams', {}).Streams).toEqual([])
  })

  it('cannot be enabled twice', () => {
    const { fixture } = started()
    expect(
      fixture.failure('UpdateTable', { TableName: 'feed', StreamSpecification: FEED.StreamSpecification }),
    ).toContain('Table already has an enabled stream')
  })
})

describe('time to live', () => {
  const now = 1_800_000_000
  const expiring = (who: string, expires: object) => ({
    TableName: 'feed',
    Item: { who: { S: who }, at: { N: '1' }, expires },
  })
  const enable = { TableName: 'feed', TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' } }

  it('deletes expired items, as the service itself, without charge', () => {
    const { fixture, arn } = started()
    fixture.ask('PutItem', expiring('before', { N: `${now + 5}` }))
    fixture.ask('UpdateTimeToLive', enable)
    expect(fixture.ask('DescribeTimeToLive', { TableName: 'feed' }).TimeToLiveDescription).toEqual({
      TimeToLiveStatus: 'ENABLED',
      AttributeName: 'expires',
    })
    fixture.ask('PutItem', expiring('number', { N: `${now + 10}` }))
    fixture.ask('PutItem', expiring('rescued', { N: `${now + 10}` }))
    fixture.ask('PutItem', expiring('text', { S: `${now + 10}` }))
    fixture.ask('PutItem', expiring('ancient', { N: '1000000000' }))
    fixture.ask('PutItem', expiring('rescued', { N: `${now + 1000}` }))
    const left = () =>
      fixture
        .ask('Scan', { TableName: 'feed' })
        .Items.map((item: { who: { S: string } }) => item.who.S)
        .sort()
    expect(left()).toEqual(['ancient', 'before', 'number', 'rescued', 'text'])
    fixture.clock.advance(5000)
    expect(left()).toEqual(['ancient', 'number', 'rescued', 'text'])
    fixture.clock.advance(10_000)
    const written = () =>
      fixture.engine.partitions(REGION, 'feed')?.reduce((sum, { write }) => sum + write.consumedUnits, 0)
    const units = written()
    expect(left()).toEqual(['ancient', 'rescued', 'text'])
    expect(written()).toBe(units)
    const removals = readAll(fixture, arn).filter(({ eventName }) => eventName === 'REMOVE')
    expect(removals.map(({ userIdentity }) => userIdentity)).toEqual(
      Array(2).fill({ Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' }),
    )
    fixture.clock.advance(1000_000)
    expect(left()).toEqual(['ancient', 'text'])
  })

  it('deletes an item in time that is to expire sooner than all others, or sooner than before', () => {
    const { fixture } = started()
    fixture.ask('UpdateTimeToLive', enable)
    for (const who of ['later', 'sooner', 'put'])
      fixture.ask('PutItem', expiring(who, { N: `${now + 3_600}` }))
    const left = () => fixture.ask('Scan', { TableName: 'feed' }).Count
    // The first request after nothing has expired looks for the item that expires first.
    fixture.clock.advance(1_000)
    expect(left()).toBe(3)
    fixture.ask('UpdateItem', {
      ...key('sooner', 1),
      UpdateExpression: 'SET expires = :soon',
      ExpressionAttributeValues: { ':soon': { N: `${now + 10}` } },
    })
    fixture.ask('PutItem', expiring('put', { N: `${now + 20}` }))
    fixture.ask('PutItem', expiring('new', { N: `${now + 30}` }))
    const counts = [9, 10, 19, 20, 29, 30].map((second) => {
      fixture.clock.advance(now * 1_000 + second * 1_000 - fixture.clock.now())
      return left()
    })
    expect(counts).toEqual([4, 3, 3, 2, 2, 1])
    fixture.clock.advance(3_600_000)
    expect(left()).toBe(0)
  })

  it('survives a restart, and can be disabled', () => {
    const { fixture } = started()
    fixture.ask('UpdateTimeToLive', enable)
    fixture.ask('PutItem', expiring('ada', { N: `${now + 10}` }))
    fixture.restart()
    expect(fixture.failure('UpdateTimeToLive', enable)).toBe(
      'ValidationException: TimeToLive is already enabled',
    )
    fixture.clock.advance(20_000)
    expect(fixture.ask('Scan', { TableName: 'feed' }).Count).toBe(0)
    fixture.ask('UpdateTimeToLive', {
      TableName: 'feed',
      TimeToLiveSpecification: { Enabled: false, AttributeName: 'expires' },
    })
    fixture.ask('PutItem', expiring('ada', { N: `${now + 10}` }))
    expect(fixture.ask('Scan', { TableName: 'feed' }).Count).toBe(1)
  })

  it('deletes an item later that a transaction held when it expired', async () => {
    const fixture = new EngineFixture({ transactionMilliseconds: 10 })
    fixture.ask('CreateTable', FEED)
    fixture.ask('UpdateTimeToLive', enable)
    fixture.ask('PutItem', expiring('ada', { N: `${now + 1}` }))
    await fixture.clock.run(async () => {
      await fixture.clock.sleep(995)
      const held = fixture.ask('TransactWriteItems', {
        TransactItems: [
          { ConditionCheck: { ...key('ada', 1), ConditionExpression: 'attribute_exists(who)' } },
        ],
      })
      await fixture.clock.sleep(6)
      expect(fixture.ask('Scan', { TableName: 'feed' }).Count).toBe(1)
      await held
    })
    expect(fixture.ask('Scan', { TableName: 'feed' }).Count).toBe(0)
  })
})
