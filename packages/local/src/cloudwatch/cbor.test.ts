import {
  CloudWatchClient,
  GetInsightRuleReportCommand,
  GetMetricDataCommand,
  GetMetricStatisticsCommand,
  type GetMetricStatisticsCommandInput,
  ListMetricsCommand,
} from '@aws-sdk/client-cloudwatch'
import {
  DescribeContributorInsightsCommand,
  PutItemCommand,
  UpdateContributorInsightsCommand,
} from '@aws-sdk/client-dynamodb'
import { AwsSmithyRpcV2CborProtocol } from '@aws-sdk/core/protocols'
import { createTable } from '@isotherm/fixtures'
import { decode, encode } from 'cborg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchange } from '../transport/raw-client.behaviour.js'
import { CloudwatchFixture, START } from './cloudwatch.fixture.js'

const KEY = { accessKeyId: 'AKIDLOCAL', secretAccessKey: 'wJalrXUtnFEMI/local' }
const METRIC = {
  Namespace: 'AWS/DynamoDB',
  MetricName: 'ConsumedWriteCapacityUnits',
  Dimensions: [{ Name: 'TableName', Value: 'things' }],
}
const TIMES = { StartTime: new Date(START), EndTime: new Date(START + 60_000) }

let fixture: CloudwatchFixture
let port: number
let rule: string | undefined
const clients = new Map<string, CloudWatchClient>()

beforeAll(async () => {
  fixture = new CloudwatchFixture()
  const { client, local } = fixture
  await client.send(createTable('things', ['pk']))
  const TableName = 'things'
  await client.send(new UpdateContributorInsightsCommand({ TableName, ContributorInsightsAction: 'ENABLE' }))
  await client.send(new PutItemCommand({ TableName, Item: { pk: { S: 'ключ' } } }))
  const described = await client.send(new DescribeContributorInsightsCommand({ TableName }))
  rule = described.ContributorInsightsRuleList?.[0]

  const endpoint = await local.listen({ port: 0, credentials: [KEY] })
  port = (await local.listen({ port: 0 })).port
  const protocol = AwsSmithyRpcV2CborProtocol
  const { region } = local.connection()
  const settings = { region, credentials: KEY, protocol, maxAttempts: 1 }
  clients.set('over HTTP, signed', new CloudWatchClient({ ...settings, endpoint: endpoint.url }))
  clients.set('in the process', new CloudWatchClient({ ...local.connection(), protocol }))
})

afterAll(async () => {
  for (const client of clients.values()) client.destroy()
  await fixture.local.close()
})

describe.each(['over HTTP, signed', 'in the process'])("the SDK's client in RPC v2 CBOR, %s", (door) => {
  const send: CloudWatchClient['send'] = ((command: never) => clients.get(door)?.send(command)) as never

  it('gets metrics with their times', async () => {
    const statistics = { ...METRIC, ...TIMES, Period: 60, Statistics: ['Sum', 'Average'] }
    const answered = await send(new GetMetricStatisticsCommand(statistics as GetMetricStatisticsCommandInput))
    expect(answered.Datapoints).toEqual([{ Timestamp: new Date(START), Sum: 1, Average: 1, Unit: 'Count' }])
    const MetricDataQueries = [{ Id: 'a', MetricStat: { Metric: METRIC, Period: 60, Stat: 'Sum' } }]
    const { MetricDataResults } = await send(new GetMetricDataCommand({ MetricDataQueries, ...TIMES }))
    expect(MetricDataResults).toMatchObject([{ Timestamps: [new Date(START)], Values: [1] }])
  })

  it('gets the heaviest keys, in any encoding', async () => {
    const report = await send(new GetInsightRuleReportCommand({ RuleName: rule, ...TIMES, Period: 60 }))
    expect(report).toMatchObject({ ApproximateUniqueCount: 1, AggregateValue: 3 })
    expect(report.Contributors).toMatchObject([{ Keys: ['ключ'], Datapoints: [{ ApproximateValue: 3 }] }])
  })

  it('gets the same errors as in JSON', async () => {
    const statistics = { ...METRIC, ...TIMES, Period: 7, Statistics: ['Sum'] }
    await expect(
      send(new GetMetricStatisticsCommand(statistics as GetMetricStatisticsCommandInput)),
    ).rejects.toMatchObject({ name: 'InvalidParameterValueException', Code: 'InvalidParameterValue' })
    await expect(send(new ListMetricsCommand({ NextToken: 'x' }))).rejects.toMatchObject({
      name: 'InvalidNextToken',
    })
  })
})

describe('RPC v2 CBOR', () => {
  const LIST = '/service/GraniteServiceVersion20100801/operation/ListMetrics'
  const request = async (path: string, body: Uint8Array, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'smithy-protocol': 'rpc-v2-cbor', 'content-type': 'application/cbor', ...headers },
      body: Buffer.from(body),
    })
    expect(response.headers.get('smithy-protocol')).toBe('rpc-v2-cbor')
    expect(response.headers.get('content-type')).toBe('application/cbor')
    const output = decode(new Uint8Array(await response.arrayBuffer()))
    return { status: response.status, ...output } as { status: number; __type?: string; Metrics?: unknown[] }
  }

  it('accepts structures of indefinite length, and an empty body', async () => {
    const pieces = Uint8Array.from([0xbf, ...encode('MetricName'), ...encode('UserErrors'), 0xff])
    expect(await request(LIST, pieces)).toMatchObject({ status: 200, Metrics: [] })
    const { Metrics } = await request(LIST, new Uint8Array())
    expect(Metrics?.length).toBeGreaterThan(0)
  })

  it.each([
    ['a body that is cut off', LIST, Uint8Array.from([0xa1, 0x61]), 'SerializationException'],
    ['a body of nothing but lists', LIST, new Uint8Array(500_000).fill(0x81), 'SerializationException'],
    [
      'a list that says it is endless',
      LIST,
      Uint8Array.from([0x9b, ...Array(8).fill(0xff)]),
      'Serialization',
    ],
    ['a number', LIST, encode(1), 'InvalidParameterValueException'],
    ['an operation of DynamoDB', '/service/DynamoDB_20120810/operation/ListTables', encode({}), 'Unknown'],
    ['an unknown operation', LIST.replace('List', 'Last'), encode({}), 'UnknownOperationException'],
    ['another path', '/', encode({}), 'UnknownOperationException'],
  ])('rejects %s', async (_, path, body, type) => {
    expect(await request(path, body)).toMatchObject({
      status: 400,
      __type: expect.stringContaining(`#${type}`),
    })
  })

  it('rejects another content type, and pages of other origins', async () => {
    expect(await request(LIST, encode({}), { 'content-type': 'application/json' })).toMatchObject({
      status: 404,
    })
    expect(await request(LIST, encode({}), { origin: 'https://example.com' })).toMatchObject({ status: 403 })
  })

  it('is not selected by a path alone', async () => {
    const head = `POST ${LIST} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`
    const [answer] = await exchange(port, [head])
    expect(answer?.status).toBe(404)
  })
})
