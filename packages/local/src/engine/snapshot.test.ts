import { addIndex, table } from '@isotherm/fixtures'
import { describe, expect, it } from 'vitest'
import { LocalError } from '../errors/local-error.js'
import { EngineFixture, REGION } from './engine.fixture.js'

const ORDERS = table('orders', ['id'])
const order = (id: string, state = 'open') => ({
  TableName: 'orders',
  Item: { id: { S: id }, state: { S: state } },
})
const wholeTable = { TableName: 'orders' }

function ordersIn(fixture: EngineFixture): string[] {
  const { Items } = fixture.ask('Scan', wholeTable)
  return Items.map(({ id }: { id: { S: string } }) => id.S).sort()
}

function withOrders(...ids: string[]): EngineFixture {
  const fixture = new EngineFixture()
  fixture.ask('CreateTable', ORDERS)
  for (const id of ids) fixture.ask('PutItem', order(id))
  return fixture
}

describe('a snapshot', () => {
  it('can be restored any number of times', () => {
    const fixture = withOrders('1')
    const snapshot = fixture.engine.snapshot()
    for (let round = 0; round < 3; round++) {
      fixture.ask('PutItem', order('2'))
      fixture.ask('DeleteItem', { TableName: 'orders', Key: { id: { S: '1' } } })
      expect(ordersIn(fixture)).toEqual(['2'])
      fixture.engine.restore(snapshot)
      expect(ordersIn(fixture)).toEqual(['1'])
    }
  })

  it('restores a deleted table, and removes a new one', () => {
    const fixture = withOrders('1')
    const before = fixture.ask('DescribeTable', wholeTable)
    const snapshot = fixture.engine.snapshot()
    fixture.ask('DeleteTable', wholeTable)
    fixture.ask('CreateTable', table('other', ['id']))
    fixture.engine.restore(snapshot)
    expect(fixture.ask('ListTables', {}).TableNames).toEqual(['orders'])
    expect(fixture.ask('DescribeTable', wholeTable)).toEqual(before)
    expect(ordersIn(fixture)).toEqual(['1'])
  })

  it('holds the tables of all regions', () => {
    const fixture = withOrders('1')
    fixture.engine.execute('CreateTable', ORDERS, 'us-west-2')
    const snapshot = fixture.engine.snapshot()
    fixture.engine.execute('DeleteTable', wholeTable, 'us-west-2')
    fixture.engine.restore(snapshot)
    expect(fixture.engine.execute('ListTables', {}, 'us-west-2')).toEqual({ TableNames: ['orders'] })
  })

  it('holds tokens, and drops later ones', async () => {
    const fixture = new EngineFixture({ transactionMilliseconds: 0 })
    fixture.ask('CreateTable', ORDERS)
    const transact = (token: string, id: string) =>
      fixture.ask('TransactWriteItems', { ClientRequestToken: token, TransactItems: [{ Put: order(id) }] })
    transact('early', '1')
    const snapshot = fixture.engine.snapshot()
    transact('late', '2')
    fixture.engine.restore(snapshot)
    fixture.ask('DeleteItem', { TableName: 'orders', Key: { id: { S: '1' } } })
    transact('early', '1')
    expect(ordersIn(fixture)).toEqual([])
    transact('late', '3')
    expect(ordersIn(fixture)).toEqual(['3'])
  })

  it('holds the borders of partitions, and restores them cold', () => {
    const fixture = new EngineFixture()
    const throughput = (units: number) => ({
      ProvisionedThroughput: { ReadCapacityUnits: units, WriteCapacityUnits: units },
    })
    fixture.ask('CreateTable', { ...ORDERS, BillingMode: 'PROVISIONED', ...throughput(8_000) })
    // Lower throughput does not merge partitions, so their number no longer follows from the throughput.
    fixture.ask('UpdateTable', { TableName: 'orders', ...throughput(10) })
    const reports = () => fixture.engine.partitions(REGION, 'orders') ?? []
    const born = reports().map(({ from }) => from)
    expect(born.length).toBeGreaterThan(4)
    const snapshot = fixture.engine.snapshot()
    for (let id = 0; id < 20; id++) fixture.ask('PutItem', order(String(id)))
    expect(reports().some(({ write }) => write.consumedUnits > 0)).toBe(true)
    fixture.engine.restore(snapshot)
    expect(reports().map(({ from }) => from)).toEqual(born)
    expect(reports().every(({ write }) => write.consumedUnits === 0)).toBe(true)
  })

  it('keeps shards that readers of a stream have seen', () => {
    const fixture = new EngineFixture({ streams: { streamShardMilliseconds: 1000 } })
    fixture.ask('CreateTable', table('orders', ['id'], { stream: 'NEW_IMAGE' }))
    const { LatestStreamArn: StreamArn } = fixture.ask('DescribeTable', wholeTable).Table
    fixture.clock.advance(1000)
    const shards = () => fixture.ask('DescribeStream', { StreamArn }).StreamDescription.Shards
    const seen = shards()
    fixture.engine.restore(fixture.engine.snapshot())
    expect(shards()).toEqual(seen)
  })

  it('can be restored by another engine, and then both are independent', () => {
    const [one, two] = [withOrders('1'), new EngineFixture()]
    two.engine.restore(one.engine.snapshot())
    one.ask('PutItem', order('2'))
    two.ask('PutItem', order('3'))
    expect([ordersIn(one), ordersIn(two)]).toEqual([
      ['1', '2'],
      ['1', '3'],
    ])
  })

  it('cannot be forged', () => {
    const fixture = withOrders('1')
    expect(() => fixture.engine.restore({} as never)).toThrow(LocalError)
    expect(ordersIn(fixture)).toEqual(['1'])
  })

  it('holds nothing of a running transaction, which is cancelled by the restore', async () => {
    const fixture = new EngineFixture({ transactionMilliseconds: 5 })
    fixture.ask('CreateTable', ORDERS)
    fixture.ask('PutItem', order('1'))
    const begin = (...ids: string[]) =>
      fixture.ask('TransactWriteItems', {
        ClientRequestToken: 'token',
        TransactItems: ids.map((id) => ({ Put: order(id) })),
      })
    await fixture.clock.run(async () => {
      const running = begin('2', '3')
      const snapshot = fixture.engine.snapshot()
      fixture.engine.restore(snapshot)
      // Its items are free again, and so is its token.
      fixture.ask('PutItem', order('3'))
      await expect(running).rejects.toThrow('Requested resource not found')
      expect(ordersIn(fixture)).toEqual(['1', '3'])
      await begin('4')
      expect(ordersIn(fixture)).toEqual(['1', '3', '4'])
    })
  })

  it('restores an index that has caught up with its table', () => {
    const fixture = new EngineFixture({ propagation: { indexLagMilliseconds: 60_000 } })
    fixture.ask('CreateTable', table('orders', ['id'], { global: { 'by-state': ['state'] } }))
    fixture.ask('PutItem', order('1'))
    const entries = () => fixture.ask('Scan', { TableName: 'orders', IndexName: 'by-state' }).Count
    expect(entries()).toBe(0)
    fixture.engine.restore(fixture.engine.snapshot())
    expect(entries()).toBe(1)
  })

  it('continues a backfill that was running, and leaves alone an index without one', async () => {
    const fixture = withOrders(...Array.from({ length: 2500 }, (_, at) => String(at)))
    const backfilled = addIndex('orders', 'by-state', ['state'])
    const describeIndexes = () => fixture.ask('DescribeTable', wholeTable).Table.GlobalSecondaryIndexes
    await fixture.clock.run(async () => {
      const without = fixture.engine.snapshot()
      fixture.ask('UpdateTable', backfilled)
      const halfway = fixture.engine.snapshot()
      expect(describeIndexes()[0].ItemCount).toBeLessThan(2500)

      fixture.engine.restore(without)
      await fixture.clock.sleep(1)
      expect(describeIndexes()).toBeUndefined()
      fixture.ask('UpdateTable', backfilled)
      await fixture.clock.sleep(1)
      expect(describeIndexes()[0]).toMatchObject({ IndexStatus: 'ACTIVE', ItemCount: 2500 })

      fixture.engine.restore(halfway)
      await fixture.clock.sleep(1)
      expect(describeIndexes()[0]).toMatchObject({ IndexStatus: 'ACTIVE', ItemCount: 2500 })
    })
  })
})

describe('a reset', () => {
  it('removes everything from all regions, and does not change the time', async () => {
    const fixture = withOrders('1')
    fixture.ask('UpdateTable', {
      TableName: 'orders',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    })
    fixture.engine.execute('CreateTable', ORDERS, 'us-west-2')
    const before = fixture.clock.now()
    await fixture.engine.reset()
    for (const region of [REGION, 'us-west-2']) {
      expect(fixture.engine.execute('ListTables', {}, region)).toEqual({ TableNames: [] })
      expect(fixture.engine.execute('ListStreams', {}, region)).toEqual({ Streams: [] })
    }
    fixture.ask('CreateTable', ORDERS)
    expect(ordersIn(fixture)).toEqual([])
    expect(fixture.clock.now()).toBe(before)
  })

  it('writes nothing of a running batch to a new table of the same name', async () => {
    const fixture = withOrders()
    const requests = Array.from({ length: 25 }, (_, at) => ({ PutRequest: { Item: order(`${at}`).Item } }))
    fixture.ask('BatchWriteItem', { RequestItems: { orders: requests } })
    await fixture.engine.reset()
    fixture.ask('CreateTable', ORDERS)
    expect(ordersIn(fixture)).toEqual([])
  })
})
