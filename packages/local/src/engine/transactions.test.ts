import { addIndex, table } from '@isotherm/fixtures'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../errors/service-error.js'
import { MemoryStorage } from '../storage/memory-storage.js'
import type { Change } from '../storage/ordered-map.js'
import type { RecordChange } from '../storage/record.js'
import { EngineFixture } from './engine.fixture.js'

const POSTS = table('posts', ['forum', 'title'], { local: { 'by-time': 'time:N' }, stream: 'KEYS_ONLY' })

const key = (title: string) => ({ forum: { S: 'rain' }, title: { S: title } })
const put = (title: string, more: object = {}) => ({
  Put: { TableName: 'posts', Item: { ...key(title), time: { N: '1' }, ...more } },
})
const impossible = {
  ConditionCheck: { TableName: 'posts', Key: key('nothing'), ConditionExpression: 'attribute_exists(forum)' },
}

function started(parts: ConstructorParameters<typeof EngineFixture>[0] = {}): EngineFixture {
  const fixture = new EngineFixture(parts)
  fixture.ask('CreateTable', POSTS)
  return fixture
}

function titles(fixture: EngineFixture, IndexName?: string): string[] {
  const { Items } = fixture.ask('Scan', { TableName: 'posts', ...(IndexName && { IndexName }) })
  return Items.map((item: { title: { S: string } }) => item.title.S).toSorted()
}

function streamed(fixture: EngineFixture): string[] {
  const { Table } = fixture.ask('DescribeTable', { TableName: 'posts' })
  const StreamArn = Table.LatestStreamArn
  const { StreamDescription } = fixture.ask('DescribeStream', { StreamArn })
  return StreamDescription.Shards.flatMap(({ ShardId }: { ShardId: string }) => {
    const start = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }
    const { ShardIterator } = fixture.ask('GetShardIterator', start)
    const { Records } = fixture.ask('GetRecords', { ShardIterator })
    return Records.map((each: { dynamodb: { Keys: { title: { S: string } } } }) => each.dynamodb.Keys.title.S)
  }).toSorted()
}

async function failure(work: () => Promise<unknown>): Promise<ServiceError> {
  const error = await work().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof ServiceError) return error
  throw error ?? new Error('It was expected to fail.')
}

describe('a transaction', () => {
  it('updates local indexes and the stream completely, or not at all', async () => {
    const fixture = started()
    await fixture.clock.run(async () => {
      const TransactItems = [put('a'), put('b')]
      const wanted = { ReturnConsumedCapacity: 'INDEXES', ReturnItemCollectionMetrics: 'SIZE' }
      const { ConsumedCapacity, ItemCollectionMetrics } = await fixture.ask('TransactWriteItems', {
        TransactItems,
        ...wanted,
      })
      expect(ConsumedCapacity[0].LocalSecondaryIndexes).toEqual({
        'by-time': { CapacityUnits: 4, WriteCapacityUnits: 4 },
      })
      const collection = { ItemCollectionKey: { forum: { S: 'rain' } }, SizeEstimateRangeGB: [0, 1] }
      expect(ItemCollectionMetrics).toEqual({ posts: [collection, collection] })
      await failure(async () => fixture.ask('TransactWriteItems', { TransactItems: [put('c'), impossible] }))
    })
    expect(titles(fixture)).toEqual(['a', 'b'])
    expect(titles(fixture, 'by-time')).toEqual(['a', 'b'])
    expect(streamed(fixture)).toEqual(['a', 'b'])
  })

  it('is cancelled when an item collection has no room', async () => {
    const fixture = started({ capacity: { itemCollectionBytes: 2_000 } })
    const large = put('a', { text: { S: 'x'.repeat(1_500) } })
    const error = await failure(async () => fixture.ask('TransactWriteItems', { TransactItems: [large] }))
    expect(error.members.CancellationReasons).toEqual([
      { Code: 'ItemCollectionSizeLimitExceeded', Message: 'Collection size exceeded.' },
    ])
  })

  describe('whose actions share an item collection', () => {
    const NONE = { Code: 'None' }
    const NO_ROOM = { Code: 'ItemCollectionSizeLimitExceeded', Message: 'Collection size exceeded.' }
    const text = { text: { S: 'x'.repeat(500) } }
    const remove = (title: string) => ({ Delete: { TableName: 'posts', Key: key(title) } })
    const reasonsOf = async (fixture: EngineFixture, TransactItems: object[]) =>
      (await failure(async () => fixture.ask('TransactWriteItems', { TransactItems }))).members
        .CancellationReasons

    it('is cancelled when they fit alone and not together', async () => {
      const fixture = started({ capacity: { itemCollectionBytes: 2_000 }, transactionMilliseconds: 0 })
      expect(await reasonsOf(fixture, [put('a', text), put('b', text), put('c')])).toEqual([
        NONE,
        NO_ROOM,
        NONE,
      ])
      expect(titles(fixture)).toEqual([])
      fixture.ask('TransactWriteItems', { TransactItems: [put('a', text), put('c')] })
      expect(titles(fixture)).toEqual(['a', 'c'])
    })

    it('may fill the room that it makes, whatever their order', async () => {
      const fixture = started({ capacity: { itemCollectionBytes: 2_000 }, transactionMilliseconds: 0 })
      fixture.ask('PutItem', put('a', text).Put)
      expect(await reasonsOf(fixture, [put('b', text)])).toEqual([NO_ROOM])
      fixture.ask('TransactWriteItems', { TransactItems: [put('b', text), remove('a')] })
      expect(titles(fixture)).toEqual(['b'])
    })

    it('is cancelled when another write takes the room while it is running', async () => {
      const fixture = started({ capacity: { itemCollectionBytes: 2_000 } })
      await fixture.clock.run(async () => {
        const ongoing = reasonsOf(fixture, [put('a', text), put('c')])
        fixture.ask('PutItem', put('b', text).Put)
        expect(await ongoing).toEqual([NO_ROOM, NONE])
      })
      expect(titles(fixture)).toEqual(['b'])
    })
  })

  it('updates an index that was added while it was running', async () => {
    const fixture = started()
    await fixture.clock.run(async () => {
      const ongoing = fixture.ask('TransactWriteItems', { TransactItems: [put('a')] })
      fixture.ask('UpdateTable', addIndex('posts', 'all', ['time:N']))
      await ongoing
    })
    expect(titles(fixture, 'all')).toEqual(['a'])
  })

  it('keeps its items from expiring while it is running', async () => {
    const fixture = started({ transactionMilliseconds: 5_000 })
    fixture.ask('UpdateTimeToLive', {
      TableName: 'posts',
      TimeToLiveSpecification: { Enabled: true, AttributeName: 'ends' },
    })
    const ends = { N: String(Math.floor(fixture.clock.now() / 1000) + 2) }
    fixture.ask('PutItem', put('a', { ends }).Put)
    await fixture.clock.run(async () => {
      const extend = {
        TableName: 'posts',
        Key: key('a'),
        UpdateExpression: 'SET ends = ends + :day',
        ExpressionAttributeValues: { ':day': { N: '86400' } },
      }
      const ongoing = fixture.ask('TransactWriteItems', { TransactItems: [{ Update: extend }] })
      await fixture.clock.sleep(4_000)
      expect(titles(fixture)).toEqual(['a'])
      await ongoing
    })
    expect(titles(fixture)).toEqual(['a'])
  })

  it('is recognised by its token after a restart, with its writes', async () => {
    const fixture = started()
    const request = {
      ClientRequestToken: 'token-1',
      ReturnConsumedCapacity: 'TOTAL',
      TransactItems: [put('a')],
    }
    await fixture.clock.run(async () => {
      await fixture.ask('TransactWriteItems', request)
      fixture.restart()
      const { ConsumedCapacity } = await fixture.ask('TransactWriteItems', request)
      expect(ConsumedCapacity).toEqual([{ TableName: 'posts', CapacityUnits: 2, ReadCapacityUnits: 2 }])
      const other = { ...request, TransactItems: [put('b')] }
      expect((await failure(async () => fixture.ask('TransactWriteItems', other))).name).toBe(
        'IdempotentParameterMismatchException',
      )
      await fixture.clock.sleep(600_001)
      await fixture.ask('TransactWriteItems', other)
    })
    expect(titles(fixture)).toEqual(['a', 'b'])
  })
})

/** A store whose writes take until the test ends them, with success or failure. */
class SlowStorage extends MemoryStorage {
  isSlow = false
  isClosed = false
  end: (failure?: Error) => void = () => {}

  override write(changes: readonly Change[], records?: readonly RecordChange[]): Promise<void> | undefined {
    if (this.isClosed) throw new Error('The store is closed.')
    if (!this.isSlow) {
      super.write(changes, records)
      return undefined
    }
    return new Promise((resolve, reject) => {
      this.end = (failure) => {
        if (failure !== undefined) return reject(failure)
        super.write(changes, records)
        resolve()
      }
    })
  }
}

describe('a transaction on a store on disk', () => {
  const request = { ClientRequestToken: 'token-1', TransactItems: [put('a')] }
  const single = { TableName: 'posts', Item: { ...key('a'), time: { N: '2' } } }

  function slow() {
    const storage = new SlowStorage()
    const fixture = started({ storage, transactionMilliseconds: 0 })
    storage.isSlow = true
    const ongoing: Promise<unknown> = fixture.ask('TransactWriteItems', request)
    storage.isSlow = false
    return { storage, fixture, ongoing }
  }

  it('holds its items and its token until it is durable', async () => {
    const { storage, fixture, ongoing } = slow()
    expect(fixture.failure('PutItem', single)).toBe(
      'TransactionConflictException: Transaction is ongoing for the item',
    )
    expect(fixture.failure('TransactWriteItems', request)).toMatch(/^TransactionInProgressException/)
    storage.end()
    await ongoing
    fixture.ask('PutItem', single)
    expect(titles(fixture)).toEqual(['a'])
  })

  it('releases them when the store refuses its write at once', async () => {
    const storage = new SlowStorage()
    const fixture = started({ storage, transactionMilliseconds: 0 })
    storage.isClosed = true
    await expect(async () => fixture.ask('TransactWriteItems', request)).rejects.toThrow(
      'The store is closed.',
    )
    storage.isClosed = false
    await fixture.ask('TransactWriteItems', request)
    expect(titles(fixture)).toEqual(['a'])
  })

  it('releases them when the store fails, and changes nothing', async () => {
    const { storage, fixture, ongoing } = slow()
    storage.end(new Error('The disk is full.'))
    await expect(ongoing).rejects.toThrow('The disk is full.')
    expect(titles(fixture)).toEqual([])
    await fixture.ask('TransactWriteItems', request)
    expect(titles(fixture)).toEqual(['a'])
  })
})
