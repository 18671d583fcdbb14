import { table } from '@isotherm/fixtures'
import { describe, expect, it } from 'vitest'
import { attributes, EngineFixture, keys, REGION } from './engine.fixture.js'

const THREADS = table('threads', ['forum', 'subject'], {
  local: { 'by-time': { sort: 'posted:N', projected: ['author'] } },
})
const thread = (forum: string, subject: string, posted: number, text = 'hello') => ({
  TableName: 'threads',
  Item: {
    forum: { S: forum },
    subject: { S: subject },
    posted: { N: String(posted) },
    author: { S: 'ada' },
    text: { S: text },
  },
  ReturnConsumedCapacity: 'INDEXES',
  ReturnItemCollectionMetrics: 'SIZE',
})
const byTime = (more: object = {}) => ({
  TableName: 'threads',
  IndexName: 'by-time',
  KeyConditionExpression: 'forum = :f',
  ExpressionAttributeValues: { ':f': { S: 'rain' } },
  ReturnConsumedCapacity: 'INDEXES',
  ...more,
})

describe('a local secondary index', () => {
  it('orders the items of a partition key by another attribute, with consistent reads if requested', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', THREADS)
    for (const [subject, posted] of [
      ['a', 30],
      ['b', 10],
      ['c', 20],
    ] as const) {
      fixture.ask('PutItem', thread('rain', subject, posted))
    }
    fixture.ask('PutItem', thread('snow', 'a', 5))
    const { Items, ConsumedCapacity } = fixture.ask('Query', byTime({ ConsistentRead: true }))
    expect(Items.map((item: { subject: { S: string } }) => item.subject.S)).toEqual(['b', 'c', 'a'])
    expect(Items[0]).toEqual({
      forum: { S: 'rain' },
      subject: { S: 'b' },
      posted: { N: '10' },
      author: { S: 'ada' },
    })
    expect(ConsumedCapacity).toEqual({
      TableName: 'threads',
      CapacityUnits: 1,
      Table: { CapacityUnits: 0 },
      LocalSecondaryIndexes: { 'by-time': { CapacityUnits: 1 } },
    })
  })

  it('pages exactly through entries with equal keys, in both directions, from any position', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', THREADS)
    for (let n = 0; n < 12; n++) fixture.ask('PutItem', thread('rain', `s${n}`, n % 3))
    for (const ScanIndexForward of [true, false]) {
      for (const Limit of [1, 2, 5]) {
        const seen: string[] = []
        let ExclusiveStartKey: object | undefined
        do {
          const page = fixture.ask('Query', byTime({ Limit, ScanIndexForward, ExclusiveStartKey }))
          seen.push(...page.Items.map((item: { subject: { S: string } }) => item.subject.S))
          ExclusiveStartKey = page.LastEvaluatedKey
        } while (ExclusiveStartKey !== undefined)
        expect(seen).toHaveLength(12)
        expect(new Set(seen).size).toBe(12)
      }
    }
    const foreign = { forum: { S: 'snow' }, subject: { S: 's1' }, posted: { N: '1' } }
    expect(fixture.failure('Query', byTime({ ExclusiveStartKey: foreign }))).toContain('ValidationException')
    expect(
      fixture.failure('Query', byTime({ ExclusiveStartKey: { forum: { S: 'rain' }, subject: { S: 's1' } } })),
    ).toContain('The provided starting key is invalid')
  })

  it('is charged to its table, and reports the size of the collection', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', THREADS)
    expect(fixture.ask('PutItem', thread('rain', 'a', 1))).toEqual({
      ConsumedCapacity: {
        TableName: 'threads',
        CapacityUnits: 2,
        Table: { CapacityUnits: 1 },
        LocalSecondaryIndexes: { 'by-time': { CapacityUnits: 1 } },
      },
      ItemCollectionMetrics: { ItemCollectionKey: { forum: { S: 'rain' } }, SizeEstimateRangeGB: [0, 1] },
    })
  })

  it('fetches whole items for attributes it does not hold, at the cost of each', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', THREADS)
    for (let n = 0; n < 4; n++) fixture.ask('PutItem', thread('rain', `s${n}`, n, 'x'.repeat(5000)))
    const all = fixture.ask('Query', byTime({ Select: 'ALL_ATTRIBUTES' }))
    expect(all.Items[0].text.S).toHaveLength(5000)
    expect(all.ConsumedCapacity).toMatchObject({
      CapacityUnits: 4.5,
      Table: { CapacityUnits: 4 },
      LocalSecondaryIndexes: { 'by-time': { CapacityUnits: 0.5 } },
    })
    const text = fixture.ask(
      'Query',
      byTime({ ProjectionExpression: '#t', ExpressionAttributeNames: { '#t': 'text' } }),
    )
    expect(Object.keys(text.Items[0])).toEqual(['text'])
    expect(text.ConsumedCapacity.CapacityUnits).toBe(4.5)
    expect(
      fixture.failure(
        'Query',
        byTime({ FilterExpression: 'attribute_exists(#t)', ExpressionAttributeNames: { '#t': 'text' } }),
      ),
    ).toContain('Secondary index by-time does not project one or more filter attributes: [text]')
  })

  it('keeps an item collection in one partition, and limits its size', () => {
    const fixture = new EngineFixture({ capacity: { itemCollectionBytes: 2000 } })
    fixture.ask('CreateTable', THREADS)
    fixture.ask('PutItem', thread('rain', 'a', 1, 'x'.repeat(800)))
    fixture.ask('PutItem', thread('rain', 'b', 2, 'x'.repeat(800)))
    expect(fixture.failure('PutItem', thread('rain', 'c', 3, 'x'.repeat(800)))).toBe(
      'ItemCollectionSizeLimitExceededException: Collection size exceeded.',
    )
    fixture.ask('PutItem', thread('snow', 'c', 3, 'x'.repeat(800)))
    fixture.ask('DeleteItem', { TableName: 'threads', Key: { forum: { S: 'rain' }, subject: { S: 'a' } } })
    fixture.ask('PutItem', thread('rain', 'c', 3, 'x'.repeat(800)))
  })

  it('never splits a hot partition inside a collection', () => {
    const refused: string[] = []
    const fixture = new EngineFixture({
      capacity: { heatSeconds: 3, partitionWriteUnitsPerSecond: 200 },
      onPartitionEvent: (event) => refused.push(event.type === 'split' ? 'split' : event.because),
    })
    fixture.ask('CreateTable', THREADS)
    for (let second = 0; second < 10; second++) {
      for (let n = 0; n < 300; n++) {
        const request = thread('rain', `s${(n * 7919) % 600}`, (n * 31) % 600)
        try {
          fixture.ask('PutItem', request)
        } catch {
          // Throttling is intended here.
        }
        fixture.clock.advance(1000 / 300)
      }
    }
    expect(new Set(refused)).toEqual(new Set(['one-collection-with-local-indexes']))
  })

  it.each([
    [
      { KeySchema: keys('forum'), AttributeDefinitions: attributes('forum', 'posted:N') },
      'Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex',
    ],
    [{ LocalSecondaryIndexes: [] }, 'List of LocalSecondaryIndexes is empty'],
    [
      {
        LocalSecondaryIndexes: [
          {
            IndexName: 'by-time',
            KeySchema: keys('posted', 'subject'),
            Projection: { ProjectionType: 'ALL' },
          },
        ],
      },
      'Index KeySchema does not have the same leading hash key as table KeySchema for index: by-time. index hash key: posted, table hash key: forum',
    ],
    [
      {
        AttributeDefinitions: attributes('forum', 'subject'),
        LocalSecondaryIndexes: [
          { IndexName: 'by-time', KeySchema: keys('forum'), Projection: { ProjectionType: 'ALL' } },
        ],
      },
      'Index KeySchema does not have a range key for index: by-time',
    ],
  ])('is rejected in an invalid place: %j', (more, text) => {
    expect(new EngineFixture().failure('CreateTable', { ...THREADS, ...more })).toBe(
      `ValidationException: One or more parameter values were invalid: ${text}`,
    )
  })
})

describe('a global index with keys of several attributes', () => {
  const MATCHES = table('matches', ['id'], {
    global: { 'by-cup': { key: { hash: ['cup', 'region'], range: ['round', 'court:N'] } } },
  })
  const query = (condition: string, values: object, more: object = {}) => ({
    TableName: 'matches',
    IndexName: 'by-cup',
    KeyConditionExpression: condition,
    ExpressionAttributeNames: { '#r': 'region' },
    ExpressionAttributeValues: values,
    ...more,
  })

  function filled(): EngineFixture {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', MATCHES)
    let id = 0
    for (const region of ['east', 'west']) {
      for (const round of ['final', 'semi']) {
        for (const court of ['2', '10', '1']) {
          const Item = {
            id: { S: `${id++}` },
            cup: { S: 'open' },
            region: { S: region },
            round: { S: round },
            court: { N: court },
          }
          fixture.ask('PutItem', { TableName: 'matches', Item })
        }
      }
    }
    fixture.ask('PutItem', {
      TableName: 'matches',
      Item: { id: { S: 'x' }, cup: { S: 'open' }, region: { S: 'east' } },
    })
    return fixture
  }
  const east = { ':c': { S: 'open' }, ':e': { S: 'east' } }

  it('is queried by all partition attributes, and by sort attributes from the left', () => {
    const fixture = filled()
    const courts = (request: object) =>
      fixture
        .ask('Query', request)
        .Items.map(
          (item: { round: { S: string }; court: { N: string } }) => `${item.round.S} ${item.court.N}`,
        )
    expect(courts(query('cup = :c AND #r = :e', east))).toEqual([
      'final 1',
      'final 2',
      'final 10',
      'semi 1',
      'semi 2',
      'semi 10',
    ])
    expect(
      courts(
        query('cup = :c AND #r = :e AND round = :f AND court > :n', {
          ...east,
          ':f': { S: 'final' },
          ':n': { N: '1' },
        }),
      ),
    ).toEqual(['final 2', 'final 10'])
    expect(
      fixture.failure(
        'Query',
        query('cup = :c', { ':c': { S: 'open' } }, { ExpressionAttributeNames: undefined }),
      ),
    ).toContain('ValidationException')
    expect(
      fixture.failure('Query', query('cup = :c AND #r = :e AND court > :n', { ...east, ':n': { N: '1' } })),
    ).toContain('ValidationException')
  })

  it('pages through all entries, one by one, in both directions', () => {
    const fixture = filled()
    for (const ScanIndexForward of [true, false]) {
      const seen: string[] = []
      let ExclusiveStartKey: object | undefined
      do {
        const page = fixture.ask(
          'Query',
          query('cup = :c AND #r = :e', east, { Limit: 1, ScanIndexForward, ExclusiveStartKey }),
        )
        seen.push(...page.Items.map((item: { id: { S: string } }) => item.id.S))
        ExclusiveStartKey = page.LastEvaluatedKey
      } while (ExclusiveStartKey !== undefined)
      expect(new Set(seen).size).toBe(6)
      expect(seen).toHaveLength(6)
    }
  })

  it('describes its key, and rejects more than four attributes in a half', () => {
    const fixture = filled()
    const [index] = fixture.ask('DescribeTable', { TableName: 'matches' }).Table.GlobalSecondaryIndexes
    expect(index.KeySchema).toHaveLength(4)
    const names = ['c1', 'c2', 'c3', 'c4', 'c5']
    const wide = table('wide', ['id'], { global: { wide: { key: { hash: names } } } })
    expect(fixture.failure('CreateTable', wide)).toContain(
      'The KeySchema exceeds the maximum allowed number of HASH key attributes',
    )
    expect(fixture.engine.partitions(REGION, 'wide')).toBeUndefined()
  })
})
