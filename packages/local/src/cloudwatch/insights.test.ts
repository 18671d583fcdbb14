import { GetInsightRuleReportCommand } from '@aws-sdk/client-cloudwatch'
import {
  type ContributorInsightsMode,
  DeleteTableCommand,
  DescribeContributorInsightsCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateContributorInsightsCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CloudwatchFixture, START } from './cloudwatch.fixture.js'

const CREATE_ORDERS = createTable('orders', ['customer', 'number:N'], { global: { by_status: ['status'] } })

const ORDERS = { TableName: 'orders' }

let fixture: CloudwatchFixture

beforeEach(() => {
  fixture = new CloudwatchFixture()
})

afterEach(() => fixture.local.close())

const send: CloudwatchFixture['client']['send'] = ((command: never) => fixture.client.send(command)) as never

function put(customer: string, number: number, status = 'new') {
  const Item = { customer: { S: customer }, number: { N: `${number}` }, status: { S: status } }
  return send(new PutItemCommand({ ...ORDERS, Item }))
}

async function enable(IndexName?: string, ContributorInsightsMode?: ContributorInsightsMode) {
  const ContributorInsightsAction = 'ENABLE'
  await send(
    new UpdateContributorInsightsCommand({
      ...ORDERS,
      IndexName,
      ContributorInsightsAction,
      ContributorInsightsMode,
    }),
  )
  return rules(IndexName)
}

/** The names of rules by their letters, such as PKC. */
async function rules(IndexName?: string): Promise<{ readonly [letters: string]: string }> {
  const described = await send(new DescribeContributorInsightsCommand({ ...ORDERS, IndexName }))
  const names = described.ContributorInsightsRuleList ?? []
  return Object.fromEntries(names.map((name) => [name.split('-')[1], name]))
}

function report(RuleName: string | undefined, more = {}) {
  const span = { StartTime: new Date(START), EndTime: new Date(fixture.clock.now() + 60_000), Period: 60 }
  return fixture.cloudwatch.send(new GetInsightRuleReportCommand({ RuleName, ...span, ...more }))
}

async function heaviest(RuleName: string | undefined) {
  const { Contributors = [] } = await report(RuleName)
  return Contributors.map(({ Keys = [], ApproximateAggregateValue }) => [
    Keys.join(' '),
    ApproximateAggregateValue,
  ])
}

describe('Contributor Insights', () => {
  it('show the keys that consumed most, where a write unit counts three times', async () => {
    await send(CREATE_ORDERS)
    await put('before', 1)
    const { PKC, SKC } = await enable()
    await put('ann', 1)
    await put('ann', -2.5 * 2)
    await put('bob', 1)
    await send(new GetItemCommand({ ...ORDERS, Key: { customer: { S: 'bob' }, number: { N: '1' } } }))
    expect(await heaviest(PKC)).toEqual([
      ['ann', 6],
      ['bob', 3.5],
    ])
    expect(await heaviest(SKC)).toEqual([
      ['bob 1', 3.5],
      ['ann 1', 3],
      ['ann -5', 3],
    ])
  })

  it('show a query under its partition key, and omit scans', async () => {
    await send(CREATE_ORDERS)
    await put('ann', 1)
    const { PKC, SKC } = await enable()
    await send(
      new QueryCommand({
        ...ORDERS,
        KeyConditionExpression: 'customer = :c',
        ExpressionAttributeValues: { ':c': { S: 'ann' } },
      }),
    )
    await send(new ScanCommand(ORDERS))
    expect(await heaviest(PKC)).toEqual([['ann', 0.5]])
    expect(await heaviest(SKC)).toEqual([])
  })

  it('count an index separately', async () => {
    await send(CREATE_ORDERS)
    const { PKC } = await enable('by_status')
    await put('ann', 1, 'new')
    await put('bob', 1, 'new')
    await put('cyd', 1, 'done')
    expect(await heaviest(PKC)).toEqual([
      ['new', 6],
      ['done', 3],
    ])
    expect(await rules()).toEqual({})
  })

  it('show the throttled keys, and only them in that mode', async () => {
    await fixture.local.close()
    fixture = new CloudwatchFixture({ capacity: { partitionWriteUnitsPerSecond: 3 } })
    await send(CREATE_ORDERS)
    const { PKC, PKT, SKT } = await enable(undefined, 'THROTTLED_KEYS')
    expect(PKC).toBeUndefined()
    let throttled = 0
    for (let times = 0; times < 10; times++) {
      await put('hot', 7).catch(() => {
        throttled++
      })
    }
    expect(throttled).toBeGreaterThan(0)
    expect(await heaviest(PKT)).toEqual([['hot', throttled]])
    expect(await heaviest(SKT)).toEqual([['hot 7', throttled]])
  })

  it('keep the rules that two modes share, with their counts', async () => {
    await fixture.local.close()
    fixture = new CloudwatchFixture({ capacity: { partitionWriteUnitsPerSecond: 3 } })
    await send(CREATE_ORDERS)
    const before = await enable()
    for (let times = 0; times < 10; times++) await put('hot', 7).catch(() => undefined)
    const counted = await heaviest(before.PKT)
    fixture.clock.advance(1_000)
    const after = await enable(undefined, 'THROTTLED_KEYS')
    expect(after).toEqual({ PKT: before.PKT, SKT: before.SKT })
    expect(await heaviest(after.PKT)).toEqual(counted)
    await expect(report(before.PKC)).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  })

  it('are removed when they are disabled, and with their table', async () => {
    await send(CREATE_ORDERS)
    const { PKC } = await enable()
    await put('ann', 1)
    await send(new UpdateContributorInsightsCommand({ ...ORDERS, ContributorInsightsAction: 'DISABLE' }))
    await put('ann', 1)
    await expect(report(PKC)).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
    fixture.clock.advance(1_000)
    const { PKC: second } = await enable()
    expect(await heaviest(second)).toEqual([])
    await send(new DeleteTableCommand(ORDERS))
    await expect(report(second)).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  })

  it('are removed as soon as the deletion of their table or index begins', async () => {
    await fixture.local.close()
    fixture = new CloudwatchFixture({ controlPlaneDelays: { deleteTable: 60_000, deleteIndex: 60_000 } })
    await send(CREATE_ORDERS)
    const { PKC } = await enable()
    const { PKC: ofIndex } = await enable('by_status')
    await put('ann', 1)
    expect(await heaviest(ofIndex)).toEqual([['new', 3]])
    const Delete = { IndexName: 'by_status' }
    await send(new UpdateTableCommand({ ...ORDERS, GlobalSecondaryIndexUpdates: [{ Delete }] }))
    await put('ann', 2)
    await expect(report(ofIndex)).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
    expect(await heaviest(PKC)).toEqual([['ann', 6]])
    fixture.clock.advance(60_000)
    await send(new DeleteTableCommand(ORDERS))
    await expect(report(PKC)).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
    expect(await rules()).toEqual({})
  })

  it('report the weight of each key in each period, the largest contributor, and their number', async () => {
    await send(CREATE_ORDERS)
    const { PKC } = await enable()
    for (let number = 0; number < 3; number++) await put('ann', number)
    await put('bob', 1)
    fixture.clock.advance(60_000)
    await put('bob', 2)
    const answered = await report(PKC, { MaxContributorCount: 1, Metrics: ['MaxContributorValue', 'Sum'] })
    const [first, second] = [new Date(START), new Date(START + 60_000)]
    expect(answered).toMatchObject({
      KeyLabels: ['customer'],
      AggregationStatistic: 'Sum',
      AggregateValue: 15,
      ApproximateUniqueCount: 2,
      Contributors: [{ Keys: ['ann'], Datapoints: [{ Timestamp: first, ApproximateValue: 9 }] }],
      MetricDatapoints: [
        { Timestamp: first, MaxContributorValue: 9, Sum: 12 },
        { Timestamp: second, MaxContributorValue: 3, Sum: 3 },
      ],
    })
    await expect(report(PKC, { MaxContributorCount: 26 })).rejects.toThrow('MaxContributorCount')
  })
})
