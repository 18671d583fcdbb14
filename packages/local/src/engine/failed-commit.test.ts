import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addIndex, table } from '@isotherm/fixtures'
import { type Clock, SeededRandom, SystemClock, VirtualClock } from '@isotherm/runtime'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Database } from '../storage/lmdb/database.js'
import { LmdbStorage } from '../storage/lmdb/lmdb-storage.js'
import { REGION } from './engine.fixture.js'
import { Engine } from './engine.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-failed-commit-'))
afterAll(() => rmSync(folder, { recursive: true }))

const ORDERS = table('orders', ['id'])
const STREAM = { StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } }
const ADD_INDEX = addIndex('orders', 'by-state', ['state'])
const order = (id: string, more: object = {}) => ({ TableName: 'orders', Item: { id: { S: id }, ...more } })
const OPEN = { state: { S: 'open' } }

/** An engine with a store on disk whose commits can be made to fail. */
class Durable {
  readonly clock: Clock
  readonly #directory: string
  #engine: Engine

  constructor(name: string, clock: Clock) {
    this.clock = clock
    this.#directory = join(folder, name)
    this.#engine = this.#open()
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers without declaring their shapes.
  async ask(operation: string, input: object): Promise<any> {
    return this.#engine.execute(operation, input, REGION)
  }

  /** The name of the error that a request fails with, or `ok`. */
  async outcome(operation: string, input: object): Promise<string> {
    return this.ask(operation, input).then(
      () => 'ok',
      (error: Error) => error.name,
    )
  }

  async restart(): Promise<void> {
    await this.close()
    this.#engine = this.#open()
  }

  async close(): Promise<void> {
    await this.#engine.close()
  }

  #open(): Engine {
    return new Engine({
      storage: new LmdbStorage(this.#directory),
      clock: this.clock,
      random: new SeededRandom(1),
      capacity: {},
      throttle: false,
      onPartitionEvent() {},
      stopwatch: this.clock,
    })
  }
}

let count = 0
let clock: VirtualClock
let durable: Durable
beforeEach(() => {
  clock = new VirtualClock()
  durable = new Durable(String(count++), clock)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await durable.close()
})

function failNextCommit(): void {
  vi.spyOn(Database.prototype, 'commit').mockRejectedValueOnce(new Error('as if the disk were full'))
}

async function idsOf(request: object): Promise<string[]> {
  const { Items } = await durable.ask('Scan', request)
  return Items.map((item: { id: { S: string } }) => item.id.S).sort()
}

describe('after a failed commit', () => {
  it("everything equals the store's content: items, counts, queues and all derived state", async () => {
    await durable.ask('CreateTable', ORDERS)
    await durable.ask('UpdateTable', ADD_INDEX)
    await durable.ask('PutItem', order('1', OPEN))
    failNextCommit()
    const outcomes = await Promise.all([
      durable.outcome('PutItem', order('2', OPEN)),
      durable.outcome('PutItem', order('1', { state: { S: 'sent' } })),
    ])
    expect(outcomes).toEqual(['InternalServerError', 'InternalServerError'])
    expect(await idsOf({ TableName: 'orders' })).toEqual(['1'])
    expect(await idsOf({ TableName: 'orders', IndexName: 'by-state' })).toEqual(['1'])
    const { Table } = await durable.ask('DescribeTable', { TableName: 'orders' })
    expect([Table.ItemCount, Table.GlobalSecondaryIndexes[0].ItemCount]).toEqual([1, 1])
    await durable.ask('PutItem', order('2', OPEN))
    expect(await idsOf({ TableName: 'orders', IndexName: 'by-state' })).toEqual(['1', '2'])
  })

  it('no reader of a stream has left a shard whose end is lost', async () => {
    const StreamArn = (await durable.ask('CreateTable', { ...ORDERS, ...STREAM })).TableDescription
      .LatestStreamArn
    await durable.ask('PutItem', order('1'))
    clock.advance(5 * 3_600_000)
    const shards = async () => (await durable.ask('DescribeStream', { StreamArn })).StreamDescription.Shards
    const before = await shards()
    const readers: { ShardIterator: string }[] = await Promise.all(
      before.map(({ ShardId }: { ShardId: string }) =>
        durable.ask('GetShardIterator', { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
      ),
    )
    const read = ({ ShardIterator }: { ShardIterator: string }) =>
      durable.ask('GetRecords', { ShardIterator })
    failNextCommit()
    // The write ends the shards, which are old enough, and begins their children.
    const written = durable.outcome('PutItem', order('2'))
    const answers = await Promise.allSettled([shards(), ...readers.map(read)])
    expect(await written).toBe('InternalServerError')
    for (const { status } of answers) expect(status).toBe('rejected')
    expect(await shards()).toEqual(before)
    for (const { NextShardIterator } of await Promise.all(readers.map(read)))
      expect(NextShardIterator).toBeDefined()

    expect(await durable.outcome('PutItem', order('2'))).toBe('ok')
    expect((await shards()).length).toBe(2 * before.length)
    for (const { NextShardIterator } of await Promise.all(readers.map(read)))
      expect(NextShardIterator).toBeUndefined()
  })

  it('a transaction that was checked against lost data is cancelled', async () => {
    await durable.ask('CreateTable', ORDERS)
    failNextCommit()
    const outcomes = await clock.run(() =>
      Promise.all([
        durable.outcome('PutItem', order('1')),
        durable.outcome('TransactWriteItems', {
          TransactItems: [
            {
              ConditionCheck: {
                TableName: 'orders',
                Key: { id: { S: '1' } },
                ConditionExpression: 'attribute_exists(id)',
              },
            },
            { Put: order('receipt') },
          ],
        }),
      ]),
    )
    expect(outcomes).toEqual(['InternalServerError', 'InternalServerError'])
    expect(await idsOf({ TableName: 'orders' })).toEqual([])
  })

  it('a table that could not be deleted still exists, and one that could not be created does not', async () => {
    await durable.ask('CreateTable', { ...ORDERS, ...STREAM })
    await durable.ask('PutItem', order('1'))
    failNextCommit()
    expect(await durable.outcome('DeleteTable', { TableName: 'orders' })).toBe('InternalServerError')
    await durable.ask('PutItem', order('2'))
    expect(await idsOf({ TableName: 'orders' })).toEqual(['1', '2'])
    const { Table } = await durable.ask('DescribeTable', { TableName: 'orders' })
    expect(Table.StreamSpecification.StreamEnabled).toBe(true)
    failNextCommit()
    expect(await durable.outcome('CreateTable', table('other', ['id']))).toBe('InternalServerError')
    await durable.ask('CreateTable', table('other', ['id']))
  })

  it('an index that could not be removed is still maintained', async () => {
    await durable.ask('CreateTable', ORDERS)
    await durable.ask('UpdateTable', ADD_INDEX)
    await durable.ask('PutItem', order('1', OPEN))
    failNextCommit()
    const remove = {
      TableName: 'orders',
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'by-state' } }],
    }
    expect(await durable.outcome('UpdateTable', remove)).toBe('InternalServerError')
    await durable.ask('DeleteItem', { TableName: 'orders', Key: { id: { S: '1' } } })
    expect(await idsOf({ TableName: 'orders', IndexName: 'by-state' })).toEqual([])
  })

  it('an index backfill continues', async () => {
    await durable.close()
    durable = new Durable(String(count++), new SystemClock())
    await durable.ask('CreateTable', ORDERS)
    const items = Array.from({ length: 2500 }, (_, id) => order(`${id}`, OPEN))
    await Promise.all(items.map((item) => durable.ask('PutItem', item)))
    await durable.ask('UpdateTable', ADD_INDEX)
    failNextCommit()
    expect(await durable.outcome('PutItem', order('refused'))).toBe('InternalServerError')
    for (let status = 'CREATING'; status === 'CREATING'; ) {
      await durable.clock.sleep(1)
      const { Table } = await durable.ask('DescribeTable', { TableName: 'orders' })
      status = Table.GlobalSecondaryIndexes[0].IndexStatus
    }
    const { Table } = await durable.ask('DescribeTable', { TableName: 'orders' })
    expect(Table.GlobalSecondaryIndexes[0].ItemCount).toBe(2500)
  })

  it('items still expire', async () => {
    await durable.ask('CreateTable', ORDERS)
    await durable.ask('UpdateTimeToLive', {
      TableName: 'orders',
      TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' },
    })
    const expires = { N: String(clock.now() / 1000 + 10) }
    await durable.ask('PutItem', order('1', { expires }))
    clock.advance(20_000)
    failNextCommit()
    await durable.outcome('PutItem', order('2'))
    expect(await idsOf({ TableName: 'orders' })).toEqual(['1'])
    await durable.ask('PutItem', order('3'))
    expect(await idsOf({ TableName: 'orders' })).toEqual(['3'])
  })
})

describe('a store on disk', () => {
  it('keeps the records of shards that were opened while readers were reading', async () => {
    await durable.ask('CreateTable', { ...ORDERS, ...STREAM })
    const { Table } = await durable.ask('DescribeTable', { TableName: 'orders' })
    await durable.ask('PutItem', order('1'))
    clock.advance(5 * 3_600_000)
    const StreamArn = Table.LatestStreamArn
    await durable.ask('DescribeStream', { StreamArn })
    await durable.ask('PutItem', order('2'))
    await durable.restart()
    const { StreamDescription } = await durable.ask('DescribeStream', { StreamArn })
    const ids: string[] = []
    for (const { ShardId } of StreamDescription.Shards) {
      const { ShardIterator } = await durable.ask('GetShardIterator', {
        StreamArn,
        ShardId,
        ShardIteratorType: 'TRIM_HORIZON',
      })
      const { Records } = await durable.ask('GetRecords', { ShardIterator })
      ids.push(
        ...Records.map((each: { dynamodb: { Keys: { id: { S: string } } } }) => each.dynamodb.Keys.id.S),
      )
    }
    expect(ids.sort()).toEqual(['1', '2'])
  })

  it('stores a batch with one commit', async () => {
    await durable.ask('CreateTable', ORDERS)
    const commits = vi.spyOn(Database.prototype, 'commit')
    const requests = Array.from({ length: 25 }, (_, id) => ({ PutRequest: { Item: order(`${id}`).Item } }))
    await durable.ask('BatchWriteItem', { RequestItems: { orders: requests } })
    expect(commits).toHaveBeenCalledTimes(1)
  })

  it('keeps the initial partitions of a table, and removes those of a deleted one', async () => {
    const partitions = async () => {
      const { ConsumedCapacity } = await durable.ask('Scan', {
        TableName: 'orders',
        ConsistentRead: true,
        ReturnConsumedCapacity: 'TOTAL',
      })
      return ConsumedCapacity.CapacityUnits
    }
    await durable.ask('CreateTable', ORDERS)
    const ProvisionedThroughput = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }
    await durable.ask('UpdateTable', {
      TableName: 'orders',
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput,
    })
    await durable.restart()
    expect(await partitions()).toBe(4)
    await durable.ask('DeleteTable', { TableName: 'orders' })
    await durable.ask('CreateTable', { ...ORDERS, BillingMode: 'PROVISIONED', ProvisionedThroughput })
    expect(await partitions()).toBe(1)
  })
})
