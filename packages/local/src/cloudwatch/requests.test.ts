import {
  GetMetricDataCommand,
  type GetMetricDataCommandInput,
  GetMetricStatisticsCommand,
  type GetMetricStatisticsCommandInput,
  ListMetricsCommand,
} from '@aws-sdk/client-cloudwatch'
import { DeleteTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CloudwatchFixture, START } from './cloudwatch.fixture.js'

let fixture: CloudwatchFixture

/** Two writes in the first minute, and one in the third. */
beforeEach(async () => {
  fixture = new CloudwatchFixture()
  await fixture.client.send(createTable('things', ['pk']))
  await put()
  await put()
  fixture.clock.advance(120_000)
  await put()
})

afterEach(() => fixture.local.close())

function put() {
  return fixture.client.send(new PutItemCommand({ TableName: 'things', Item: { pk: { S: 'a' } } }))
}

const TIMES = { StartTime: new Date(START), EndTime: new Date(START + 3_600_000) }
const METRIC = {
  Namespace: 'AWS/DynamoDB',
  MetricName: 'ConsumedWriteCapacityUnits',
  Dimensions: [{ Name: 'TableName', Value: 'things' }],
}

function statistics(more: Partial<GetMetricStatisticsCommandInput> = {}) {
  const input = { ...METRIC, ...TIMES, Period: 60, Statistics: ['Sum'] } as GetMetricStatisticsCommandInput
  return fixture.cloudwatch.send(new GetMetricStatisticsCommand({ ...input, ...more }))
}

describe('GetMetricStatistics', () => {
  it('aggregates longer periods', async () => {
    const { Label, Datapoints } = await statistics({ Period: 300 })
    expect(Label).toBe('ConsumedWriteCapacityUnits')
    expect(Datapoints).toEqual([{ Timestamp: new Date(START), Sum: 3, Unit: 'Count' }])
  })

  it('ends before the end time', async () => {
    const { Datapoints } = await statistics({ EndTime: new Date(START + 120_000) })
    expect(Datapoints?.map(({ Sum }) => Sum)).toEqual([2, 0])
  })

  it('omits points older than the retention time', async () => {
    fixture.clock.advance(15 * 86_400_000 - 60_000)
    const day = { Period: 86_400, EndTime: new Date(fixture.clock.now()) }
    const kept = async () => (await statistics(day)).Datapoints?.reduce((all, { Sum = 0 }) => all + Sum, 0)
    expect(await kept()).toBe(1)
    fixture.clock.advance(180_000)
    expect(await kept()).toBe(0)
  })

  it('matches exactly the given dimensions', async () => {
    expect((await statistics({ Dimensions: [] })).Datapoints).toEqual([])
    const Dimensions = [...METRIC.Dimensions, { Name: 'Operation', Value: 'PutItem' }]
    expect((await statistics({ Dimensions })).Datapoints).toEqual([])
    expect((await statistics({ Namespace: 'AWS/EC2' })).Datapoints).toEqual([])
    expect((await statistics({ Unit: 'Bytes' })).Datapoints).toEqual([])
  })

  it.each<[string, Partial<GetMetricStatisticsCommandInput>, string, string]>([
    ['a period of a second', { Period: 1 }, 'InvalidParameterValue', 'Period must be a multiple of 60'],
    ['no statistics', { Statistics: [] }, 'MissingParameter', 'Statistics is required'],
    ['no period', { Period: undefined }, 'MissingParameter', 'Period is required'],
    ['no time', { EndTime: undefined }, 'MissingParameter', 'EndTime is required'],
    ['times upside down', { EndTime: TIMES.StartTime }, 'InvalidParameterValue', 'StartTime must be less'],
    ['percentiles', { ExtendedStatistics: ['p99'] }, 'InvalidParameterCombination', 'Percentiles'],
    [
      'two days by the minute',
      { EndTime: new Date(START + 2 * 86_400_000) },
      'InvalidParameterCombination',
      'You have requested up to 2,880 datapoints, which exceeds the limit of 1,440.',
    ],
  ])('rejects %s', async (_, more, Code, message) => {
    await expect(statistics(more)).rejects.toMatchObject({ Code, message: expect.stringContaining(message) })
  })
})

describe('GetMetricData', () => {
  const query = (Id: string, Stat: string) => ({ Id, MetricStat: { Metric: METRIC, Period: 60, Stat } })
  const data = (more: Partial<GetMetricDataCommandInput> = {}) =>
    fixture.cloudwatch.send(
      new GetMetricDataCommand({ MetricDataQueries: [query('a', 'Sum')], ...TIMES, ...more }),
    )

  it('answers several queries, latest point first by default', async () => {
    const MetricDataQueries = [query('units', 'Sum'), query('requests', 'SampleCount')]
    const { MetricDataResults } = await data({ MetricDataQueries })
    expect(MetricDataResults).toMatchObject([
      { Id: 'units', Label: METRIC.MetricName, Values: [1, 0, 2], StatusCode: 'Complete' },
      { Id: 'requests', Values: [1, 1, 2] },
    ])
    const ascending = await data({ ScanBy: 'TimestampAscending' })
    expect(ascending.MetricDataResults).toMatchObject([
      {
        Timestamps: [START, START + 60_000, START + 120_000].map((time) => new Date(time)),
        Values: [2, 0, 1],
      },
    ])
  })

  it('continues from page to page until every point was returned once', async () => {
    const MetricDataQueries = [query('a', 'Sum'), query('b', 'Maximum')]
    const pages: unknown[] = []
    let NextToken: string | undefined
    do {
      const page = await data({ MetricDataQueries, MaxDatapoints: 4, NextToken })
      pages.push(page.MetricDataResults?.map(({ Values, StatusCode }) => [Values, StatusCode]))
      NextToken = page.NextToken
    } while (NextToken !== undefined)
    expect(pages).toEqual([
      [
        [[1, 0, 2], 'Complete'],
        [[1], 'PartialData'],
      ],
      [
        [[], 'Complete'],
        [[0, 1], 'Complete'],
      ],
    ])
  })

  it('evaluates no more queries than fit, and reports that there are more', async () => {
    const MetricDataQueries = [query('a', 'Sum'), query('b', 'Sum')]
    const first = await data({ MetricDataQueries, MaxDatapoints: 3 })
    expect(first.MetricDataResults).toMatchObject([
      { Values: [1, 0, 2], StatusCode: 'Complete' },
      { Values: [], StatusCode: 'PartialData' },
    ])
    const second = await data({ MetricDataQueries, MaxDatapoints: 3, NextToken: first.NextToken })
    expect(second.MetricDataResults?.map(({ Values }) => Values)).toEqual([[], [1, 0, 2]])
    expect(second.NextToken).toBeUndefined()
  })

  it('rejects metric math and other unsupported members by name', async () => {
    const math = { Id: 'e', Expression: 'a / 60' }
    await expect(data({ MetricDataQueries: [math] })).rejects.toThrow('metric math is not supported')
    await expect(data({ MetricDataQueries: [] })).rejects.toThrow('1 to 500 members')
    await expect(data({ MetricDataQueries: [query('A', 'Sum')] })).rejects.toThrow('lower-case letter')
    await expect(data({ MetricDataQueries: [query('a', 'p99')] })).rejects.toThrow(
      'must be one of SampleCount',
    )
    await expect(data({ NextToken: 'x' })).rejects.toMatchObject({ name: 'InvalidNextToken' })
  })
})

describe('ListMetrics', () => {
  const list = async (input: ConstructorParameters<typeof ListMetricsCommand>[0] = {}) => {
    const { Metrics = [] } = await fixture.cloudwatch.send(new ListMetricsCommand(input))
    return Metrics.map(({ MetricName }) => MetricName)
  }

  it('lists metrics that have points', async () => {
    const listed = await list()
    expect(listed.filter((name) => !/Account|MaxProvisioned/.test(name ?? ''))).toEqual([
      'ConsumedReadCapacityUnits',
      'ConsumedWriteCapacityUnits',
      'SuccessfulRequestLatency',
    ])
    expect(new Set(listed).size).toBe(listed.length)
  })

  it('can be filtered by name, dimension, namespace and time', async () => {
    expect(await list({ MetricName: 'SuccessfulRequestLatency' })).toHaveLength(1)
    expect(await list({ Dimensions: [{ Name: 'Operation' }] })).toEqual(['SuccessfulRequestLatency'])
    expect(await list({ Dimensions: [{ Name: 'TableName', Value: 'others' }] })).toEqual([])
    expect(await list({ Namespace: 'AWS/EC2' })).toEqual([])
    const Dimensions = [{ Name: 'TableName' }]
    await fixture.client.send(new DeleteTableCommand({ TableName: 'things' }))
    fixture.clock.advance(4 * 3_600_000)
    expect(await list({ RecentlyActive: 'PT3H', Dimensions })).toEqual([])
    expect(await list({ Dimensions })).toHaveLength(3)
    fixture.clock.advance(14 * 86_400_000)
    expect(await list({ Dimensions })).toEqual([])
  })
})
