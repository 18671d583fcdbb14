import { addIndex, table } from '@isotherm/fixtures'
import { describe, expect, it } from 'vitest'
import { REAL_DELAYS } from '../catalog/control-plane-delays.js'
import { attributes, EngineFixture, REGION } from './engine.fixture.js'

const ORDERS = table('orders', ['id'])
const INDEXED_ORDERS = table('orders', ['id'], { global: { 'by-state': ['state'] } })
const ADD_INDEX = addIndex('orders', 'by-state', ['state'])
const order = (id: string, state: object = { S: 'open' }) => ({
  TableName: 'orders',
  Item: { id: { S: id }, state },
})
const openOrders = {
  TableName: 'orders',
  IndexName: 'by-state',
  KeyConditionExpression: '#s = :s',
  ExpressionAttributeNames: { '#s': 'state' },
  ExpressionAttributeValues: { ':s': { S: 'open' } },
}

function describeOrders(fixture: EngineFixture) {
  return fixture.ask('DescribeTable', { TableName: 'orders' }).Table
}

describe('a table with the delays of the service', () => {
  it('is CREATING, then ACTIVE, and accepts no requests before that', () => {
    const fixture = new EngineFixture({ delays: REAL_DELAYS })
    expect(fixture.ask('CreateTable', ORDERS).TableDescription.TableStatus).toBe('CREATING')
    expect(fixture.failure('PutItem', order('1'))).toBe(
      'ResourceNotFoundException: Requested resource not found',
    )
    expect(fixture.failure('CreateTable', ORDERS)).toBe(
      'ResourceInUseException: Table already exists: orders',
    )
    expect(fixture.failure('DeleteTable', { TableName: 'orders' })).toContain(
      'Table is being created: orders',
    )
    fixture.clock.advance(REAL_DELAYS.createTable)
    expect(describeOrders(fixture).TableStatus).toBe('ACTIVE')
    fixture.ask('PutItem', order('1'))
  })

  it('is ACTIVE before its time to live is described or changed, and before insights are enabled', () => {
    const fixture = new EngineFixture({ delays: REAL_DELAYS })
    fixture.ask('CreateTable', ORDERS)
    const TableName = 'orders'
    const enable = { TableName, ContributorInsightsAction: 'ENABLE' }
    const TimeToLiveSpecification = { Enabled: true, AttributeName: 'ends' }
    expect(fixture.failure('DescribeTimeToLive', { TableName })).toBe(
      'ValidationException: Cannot describe time to live while table is in CREATING state: Current table state is CREATING',
    )
    expect(fixture.failure('UpdateTimeToLive', { TableName, TimeToLiveSpecification })).toBe(
      'ResourceInUseException: Attempt to change a resource which is still in use: Table orders is being created',
    )
    expect(fixture.failure('UpdateContributorInsights', enable)).toBe(
      'ValidationException: Table or Index is not in a valid state to update Key Access Insights: TableStatus must be ACTIVE to enable ContributorInsights.',
    )
    fixture.clock.advance(REAL_DELAYS.createTable)
    expect(fixture.ask('DescribeTimeToLive', { TableName }).TimeToLiveDescription.TimeToLiveStatus).toBe(
      'DISABLED',
    )
    fixture.ask('UpdateTimeToLive', { TableName, TimeToLiveSpecification })
    fixture.ask('UpdateContributorInsights', enable)
  })

  it('is DELETING, then gone', () => {
    const fixture = new EngineFixture({ delays: REAL_DELAYS })
    fixture.ask('CreateTable', ORDERS)
    fixture.clock.advance(REAL_DELAYS.createTable)
    fixture.ask('DeleteTable', { TableName: 'orders' })
    expect(describeOrders(fixture).TableStatus).toBe('DELETING')
    expect(fixture.ask('ListTables', {}).TableNames).toEqual(['orders'])
    fixture.clock.advance(REAL_DELAYS.deleteTable)
    expect(fixture.ask('ListTables', {}).TableNames).toEqual([])
    fixture.ask('CreateTable', ORDERS)
  })

  it('is UPDATING while its throughput changes, and rejects a second change', () => {
    const fixture = new EngineFixture({ delays: REAL_DELAYS })
    const throughput = (units: number) => ({
      TableName: 'orders',
      ProvisionedThroughput: { ReadCapacityUnits: units, WriteCapacityUnits: units },
    })
    fixture.ask('CreateTable', table('orders', ['id'], { units: 5 }))
    fixture.clock.advance(REAL_DELAYS.createTable)
    fixture.ask('UpdateTable', throughput(10))
    expect(fixture.failure('UpdateTable', throughput(20))).toBe(
      'ResourceInUseException: Attempt to change a resource which is still in use: Table IOPS are currently being updated. Table: orders',
    )
    fixture.clock.advance(REAL_DELAYS.changeThroughput)
    fixture.ask('UpdateTable', throughput(20))
  })
})

describe('an index that is added to a table', () => {
  it('is filled from existing items, at once without delays', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', ORDERS)
    fixture.ask('PutItem', order('1'))
    fixture.ask('PutItem', order('2', { S: 'closed' }))
    const { TableDescription: answered } = fixture.ask('UpdateTable', ADD_INDEX)
    expect(answered.TableStatus).toBe('UPDATING')
    expect(describeOrders(fixture).GlobalSecondaryIndexes[0]).toMatchObject({
      IndexStatus: 'ACTIVE',
      ItemCount: 2,
    })
    expect(fixture.ask('Query', openOrders).Items).toEqual([order('1').Item])
  })

  it('is set up, then filled while the table is ACTIVE, then ACTIVE itself', () => {
    const fixture = new EngineFixture({ delays: REAL_DELAYS })
    fixture.ask('CreateTable', ORDERS)
    fixture.clock.advance(REAL_DELAYS.createTable)
    fixture.ask('PutItem', order('1'))
    fixture.ask('UpdateTable', ADD_INDEX)
    expect(describeOrders(fixture)).toMatchObject({
      TableStatus: 'UPDATING',
      GlobalSecondaryIndexes: [{ IndexStatus: 'CREATING', Backfilling: false }],
    })
    fixture.clock.advance(REAL_DELAYS.setUpIndex)
    expect(describeOrders(fixture)).toMatchObject({
      TableStatus: 'ACTIVE',
      GlobalSecondaryIndexes: [{ IndexStatus: 'CREATING', Backfilling: true }],
    })
    expect(fixture.failure('Query', openOrders)).toBe(
      'ValidationException: Cannot read from backfilling global secondary index: by-state',
    )
    expect(fixture.failure('UpdateTable', addIndex('orders', 'second', ['state']))).toBe(
      'LimitExceededException: Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
    )
    fixture.ask('PutItem', order('2'))
    fixture.clock.advance(REAL_DELAYS.backfillIndex)
    expect(describeOrders(fixture).GlobalSecondaryIndexes[0]).toMatchObject({ IndexStatus: 'ACTIVE' })
    expect(fixture.ask('Query', openOrders).Count).toBe(2)
  })

  it('skips items whose values it cannot accept, and follows their later writes', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', ORDERS)
    fixture.ask('PutItem', order('number', { N: '5' }))
    fixture.ask('PutItem', order('empty', { S: '' }))
    fixture.ask('PutItem', order('long', { S: 'x'.repeat(3000) }))
    fixture.ask('PutItem', order('good'))
    fixture.ask('UpdateTable', ADD_INDEX)
    expect(describeOrders(fixture).GlobalSecondaryIndexes[0].ItemCount).toBe(1)
    for (const id of ['number', 'empty', 'long']) fixture.ask('PutItem', order(id))
    expect(fixture.ask('Query', openOrders).Count).toBe(4)
    for (const id of ['number', 'empty', 'long', 'good']) {
      fixture.ask('DeleteItem', { TableName: 'orders', Key: { id: { S: id } } })
    }
    expect(describeOrders(fixture).GlobalSecondaryIndexes[0]).toMatchObject({
      ItemCount: 0,
      IndexSizeBytes: 0,
    })
  })

  it('is filled in chunks while writes continue, without losing or repeating any', async () => {
    const fixture = new EngineFixture({ throttle: false })
    fixture.ask('CreateTable', ORDERS)
    for (let id = 0; id < 2500; id++) fixture.ask('PutItem', order(`${id}`))
    await fixture.clock.run(async () => {
      fixture.ask('UpdateTable', ADD_INDEX)
      expect(describeOrders(fixture).GlobalSecondaryIndexes[0].IndexStatus).toBe('CREATING')
      for (let id = 0; id < 2500; id += 2) fixture.ask('PutItem', order(`${id}`, { S: 'closed' }))
      while (describeOrders(fixture).GlobalSecondaryIndexes[0].IndexStatus === 'CREATING') {
        await fixture.clock.sleep(1)
      }
    })
    expect(describeOrders(fixture).GlobalSecondaryIndexes[0].ItemCount).toBe(2500)
    expect(fixture.ask('Query', { ...openOrders, Select: 'COUNT' }).Count).toBe(1250)
  })

  it('is filled no faster than its throughput allows, with the delays of the service', async () => {
    const fixture = new EngineFixture({ delays: { backfillIndex: 1 } })
    fixture.ask('CreateTable', table('orders', ['id'], { units: 40_000 }))
    for (let id = 0; id < 5000; id++) fixture.ask('PutItem', order(`${id}`))
    const elapsed = await fixture.clock.run(async () => {
      const from = fixture.clock.now()
      fixture.ask('UpdateTable', addIndex('orders', 'by-state', { key: ['state'], units: 100 }))
      while (describeOrders(fixture).GlobalSecondaryIndexes[0].IndexStatus === 'CREATING') {
        await fixture.clock.sleep(100)
      }
      return fixture.clock.now() - from
    })
    expect(elapsed / 1000).toBeGreaterThan(45)
    expect(elapsed / 1000).toBeLessThan(55)
  })

  it('can be removed again, and its attribute definition is removed', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', ORDERS)
    fixture.ask('UpdateTable', ADD_INDEX)
    fixture.ask('UpdateTable', {
      TableName: 'orders',
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'by-state' } }],
    })
    const table = describeOrders(fixture)
    expect(table.GlobalSecondaryIndexes).toBeUndefined()
    expect(table.AttributeDefinitions).toEqual(attributes('id'))
    expect(fixture.failure('Query', openOrders)).toBe(
      'ValidationException: The table does not have the specified index: by-state',
    )
    fixture.ask('PutItem', order('1', { N: '5' }))
  })

  it('is DELETING for as long as on the service', () => {
    const fixture = new EngineFixture({ delays: { ...REAL_DELAYS, createTableWithIndexes: 0 } })
    fixture.ask('CreateTable', INDEXED_ORDERS)
    const remove = {
      TableName: 'orders',
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'by-state' } }],
    }
    fixture.ask('UpdateTable', remove)
    expect(describeOrders(fixture).GlobalSecondaryIndexes[0].IndexStatus).toBe('DELETING')
    fixture.clock.advance(REAL_DELAYS.deleteIndex)
    expect(describeOrders(fixture).GlobalSecondaryIndexes).toBeUndefined()
  })
})

describe('a stored catalog', () => {
  it('is complete after a restart: definitions, items, indexes, partitions, tags, changes in progress', () => {
    const fixture = new EngineFixture({ delays: { ...REAL_DELAYS, createTable: 0 } })
    fixture.ask('CreateTable', {
      ...ORDERS,
      Tags: [{ Key: 'team', Value: 'shop' }],
      WarmThroughput: { ReadUnitsPerSecond: 18_000, WriteUnitsPerSecond: 6000 },
    })
    fixture.ask('PutItem', order('1'))
    fixture.ask('UpdateTable', ADD_INDEX)
    const before = describeOrders(fixture)
    const partitions = fixture.engine.partitions(REGION, 'orders')?.map(({ from }) => from)
    fixture.restart()
    expect(describeOrders(fixture)).toEqual(before)
    expect(fixture.engine.partitions(REGION, 'orders')?.map(({ from }) => from)).toEqual(partitions)
    expect(partitions).toHaveLength(6)
    expect(fixture.ask('ListTagsOfResource', { ResourceArn: before.TableArn }).Tags).toEqual([
      { Key: 'team', Value: 'shop' },
    ])
    fixture.clock.advance(REAL_DELAYS.setUpIndex + REAL_DELAYS.backfillIndex)
    expect(fixture.ask('Query', openOrders).Count).toBe(1)
  })
})

describe('settings of a table', () => {
  it('protect it against deletion', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', { ...ORDERS, DeletionProtectionEnabled: true })
    expect(fixture.failure('DeleteTable', { TableName: 'orders' })).toBe(
      'ValidationException: Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
    )
    fixture.ask('UpdateTable', { TableName: 'orders', DeletionProtectionEnabled: false })
    fixture.ask('DeleteTable', { TableName: 'orders' })
  })

  it('keep it warm, and never reduce warm throughput', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', ORDERS)
    expect(describeOrders(fixture).WarmThroughput).toEqual({
      ReadUnitsPerSecond: 12_000,
      WriteUnitsPerSecond: 4000,
      Status: 'ACTIVE',
    })
    fixture.ask('UpdateTable', { TableName: 'orders', WarmThroughput: { WriteUnitsPerSecond: 9000 } })
    expect(describeOrders(fixture).WarmThroughput).toMatchObject({
      ReadUnitsPerSecond: 12_000,
      WriteUnitsPerSecond: 9000,
    })
    // Four are split until none is wider than a ninth.
    expect(fixture.engine.partitions(REGION, 'orders')).toHaveLength(16)
    expect(
      fixture.failure('UpdateTable', { TableName: 'orders', WarmThroughput: { WriteUnitsPerSecond: 8000 } }),
    ).toBe(
      'ValidationException: One or more parameter values were invalid: Requested WriteUnitsPerSecond for WarmThroughput for table is lower than current WarmThroughput, decreasing WarmThroughput is not supported',
    )
  })

  it('limit the throughput of an on-demand table', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', { ...ORDERS, OnDemandThroughput: { MaxWriteRequestUnits: 10 } })
    expect(describeOrders(fixture).OnDemandThroughput).toEqual({ MaxWriteRequestUnits: 10 })
    for (let id = 0; id < 10; id++) fixture.ask('PutItem', order(`${id}`))
    expect(fixture.failure('PutItem', order('11'))).toBe(
      'ThrottlingException: Throughput exceeds the maximum OnDemandThroughput configured on table or index',
    )
    fixture.ask('UpdateTable', { TableName: 'orders', OnDemandThroughput: { MaxWriteRequestUnits: -1 } })
    expect(describeOrders(fixture).OnDemandThroughput).toBeUndefined()
    fixture.clock.advance(1000)
    for (let id = 0; id < 50; id++) fixture.ask('PutItem', order(`${id}`))
  })
})

describe('tags and Contributor Insights', () => {
  it('are added, listed page by page, and removed', () => {
    const fixture = new EngineFixture()
    const { TableArn: arn } = fixture.ask('CreateTable', ORDERS).TableDescription
    const tags = Array.from({ length: 12 }, (_, n) => ({
      Key: `k${String(n).padStart(2, '0')}`,
      Value: `${n}`,
    }))
    fixture.ask('TagResource', { ResourceArn: arn, Tags: tags })
    const first = fixture.ask('ListTagsOfResource', { ResourceArn: arn })
    const second = fixture.ask('ListTagsOfResource', { ResourceArn: arn, NextToken: first.NextToken })
    expect([...first.Tags, ...second.Tags]).toEqual(tags)
    expect(second.NextToken).toBeUndefined()
    for (const token of ['OQ==', `${first.NextToken}=`, Buffer.from('k05').toString('base64')]) {
      const altered = { ResourceArn: arn, NextToken: token }
      expect(fixture.failure('ListTagsOfResource', altered)).toBe('ValidationException: Invalid NextToken')
    }
    fixture.ask('UntagResource', { ResourceArn: arn, TagKeys: tags.slice(1).map(({ Key }) => Key) })
    expect(fixture.ask('ListTagsOfResource', { ResourceArn: arn }).Tags).toEqual(tags.slice(0, 1))
  })

  it('are enabled and disabled, by mode', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', ORDERS)
    const update = (more: object) =>
      fixture.ask('UpdateContributorInsights', { TableName: 'orders', ...more })
    expect(update({ ContributorInsightsAction: 'ENABLE' })).toMatchObject({
      ContributorInsightsStatus: 'ENABLING',
      ContributorInsightsMode: 'ACCESSED_AND_THROTTLED_KEYS',
    })
    const described = fixture.ask('DescribeContributorInsights', { TableName: 'orders' })
    expect(described.ContributorInsightsStatus).toBe('ENABLED')
    expect(described.ContributorInsightsRuleList).toEqual([
      'DynamoDBContributorInsights-PKC-orders-1800000000000',
      'DynamoDBContributorInsights-PKT-orders-1800000000000',
    ])
    update({ ContributorInsightsAction: 'ENABLE', ContributorInsightsMode: 'THROTTLED_KEYS' })
    expect(
      fixture.ask('DescribeContributorInsights', { TableName: 'orders' }).ContributorInsightsRuleList,
    ).toEqual(['DynamoDBContributorInsights-PKT-orders-1800000000000'])
    expect(fixture.ask('ListContributorInsights', {}).ContributorInsightsSummaries).toHaveLength(1)
    update({ ContributorInsightsAction: 'DISABLE' })
    expect(fixture.ask('ListContributorInsights', {}).ContributorInsightsSummaries).toEqual([])
  })

  it('of an index are removed with it', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', ORDERS)
    fixture.ask('UpdateTable', ADD_INDEX)
    const of = { TableName: 'orders', IndexName: 'by-state' }
    fixture.ask('UpdateContributorInsights', { ...of, ContributorInsightsAction: 'ENABLE' })
    fixture.ask('UpdateTable', {
      TableName: 'orders',
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'by-state' } }],
    })
    fixture.ask('UpdateTable', ADD_INDEX)
    expect(fixture.ask('DescribeContributorInsights', of).ContributorInsightsStatus).toBe('DISABLED')
  })
})

describe('a table or index named like a member of every object', () => {
  it.each(['constructor', '__proto__', 'toString'])('works when named %s', (name) => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', table(name, ['id'], { global: { [name]: ['state'] } }))
    const { Item } = order('1')
    fixture.ask('BatchWriteItem', { RequestItems: { [name]: [{ PutRequest: { Item } }] } })
    const read = fixture.ask('BatchGetItem', { RequestItems: { [name]: { Keys: [{ id: { S: '1' } }] } } })
    expect(Object.entries(read.Responses)).toEqual([[name, [Item]]])
    const of = { TableName: name, IndexName: name }
    expect(fixture.ask('DescribeContributorInsights', of)).not.toHaveProperty('LastUpdateDateTime')
    expect(fixture.ask('Scan', of).Count).toBe(1)
  })
})
