import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { CloudWatchClient, ListMetricsCommand } from '@aws-sdk/client-cloudwatch'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../transport/http-endpoint.js'
import { CloudwatchFixture, START } from './cloudwatch.fixture.js'

const run = promisify(execFile)
const SETTINGS = {
  AWS_ACCESS_KEY_ID: 'any',
  AWS_SECRET_ACCESS_KEY: 'any',
  AWS_MAX_ATTEMPTS: '1',
  AWS_DEFAULT_REGION: 'us-east-1',
}

/** Debian's AWS CLI, which uses the query protocol, and any other one in the path, which may use a newer protocol. */
const COMMANDS = ['/usr/bin/aws', 'aws']

async function isInstalled(command: string): Promise<boolean> {
  return run(command, ['--version']).then(
    () => true,
    () => false,
  )
}

const commands = await Promise.all(
  COMMANDS.map(async (command) => ({ command, installed: await isInstalled(command) })),
)

let fixture: CloudwatchFixture
let endpoint: Endpoint

beforeAll(async () => {
  fixture = new CloudwatchFixture()
  endpoint = await fixture.local.listen({ port: 0 })
  await fixture.client.send(createTable('things', ['pk']))
  const Item = { pk: { S: 'a' } }
  await fixture.client.send(new PutItemCommand({ TableName: 'things', Item }))
})

afterAll(() => fixture.local.close())

function form(parameters: string, headers = {}): Promise<Response> {
  return fetch(endpoint.url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', ...headers },
    body: `Version=2010-08-01&${parameters}`,
  })
}

const QUERY =
  'Action=GetMetricStatistics&Namespace=AWS%2FDynamoDB&MetricName=ConsumedWriteCapacityUnits&Dimensions.member.1.Name=TableName&Dimensions.member.1.Value=things&StartTime=2027-01-15T08%3A00%3A00Z&EndTime=2027-01-15T09%3A00&Statistics.member.1=Sum'

describe('CloudWatch over HTTP', () => {
  it("answers the SDK's client", async () => {
    const { region, credentials } = fixture.local.connection()
    const client = new CloudWatchClient({ region, credentials, endpoint: endpoint.url })
    const { Metrics } = await client.send(
      new ListMetricsCommand({ MetricName: 'ConsumedWriteCapacityUnits' }),
    )
    expect(Metrics).toHaveLength(1)
    client.destroy()
  })

  it('answers forms of the query protocol in XML', async () => {
    const response = await form(`${QUERY}&Period=60`)
    const text = (await response.text()).replace(/<RequestId>.*<\/RequestId>/, '<RequestId/>')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/xml'])
    expect(text).toBe(
      `<GetMetricStatisticsResponse xmlns="http://monitoring.amazonaws.com/doc/2010-08-01/"><GetMetricStatisticsResult><Label>ConsumedWriteCapacityUnits</Label><Datapoints><member><Timestamp>${new Date(START).toISOString()}</Timestamp><Sum>1</Sum><Unit>Count</Unit></member></Datapoints></GetMetricStatisticsResult><ResponseMetadata><RequestId/></ResponseMetadata></GetMetricStatisticsResponse>`,
    )
  })

  it.each([
    ['a wrong value', `${QUERY}&Period=7`, 'InvalidParameterValue'],
    ['a value that is missing', QUERY, 'MissingParameter'],
    [
      'a rule that is not there',
      'Action=GetInsightRuleReport&RuleName=%3Cx%3E&StartTime=2027-01-15T08:00:00Z&EndTime=2027-01-15T09:00:00Z&Period=60',
      'ResourceNotFoundException',
    ],
    ['another action', 'Action=ListTables', 'InvalidAction'],
    ['no action', 'x=1', 'InvalidAction'],
    ['a path that is a value, too', 'Action=ListMetrics&a=1&a.b=2', 'MalformedHttpRequestException'],
    ['a list without numbers', 'Action=ListMetrics&a.member.x=2', 'MalformedHttpRequestException'],
  ])('rejects forms with %s', async (_, parameters, code) => {
    const response = await form(parameters)
    const text = await response.text()
    expect(response.ok).toBe(false)
    expect(text).toContain(`<Code>${code}</Code>`)
    expect(text).not.toContain('<x>')
  })

  it('rejects forms of pages of other origins', async () => {
    const response = await form(`${QUERY}&Period=60`, { origin: 'https://example.com' })
    expect(response.status).toBe(403)
  })

  for (const { command, installed } of commands) {
    it.skipIf(!installed)(`answers the AWS CLI that is ${command}, where it is installed`, async () => {
      const cloudwatch = async (...options: string[]) => {
        const env = { ...process.env, ...SETTINGS }
        const all = ['--endpoint-url', endpoint.url, '--output', 'json', 'cloudwatch', ...options]
        const { stdout } = await run(command, all, { env })
        return JSON.parse(stdout)
      }
      const metric = ['--namespace', 'AWS/DynamoDB', '--metric-name', 'ConsumedWriteCapacityUnits']
      const span = ['--start-time', '2027-01-15T08:00:00Z', '--end-time', '2027-01-15T09:00:00Z']
      const dimension = ['--dimensions', 'Name=TableName,Value=things']
      const statistics = ['get-metric-statistics', ...metric, ...dimension, ...span]
      const answered = await cloudwatch(...statistics, '--period', '60', '--statistics', 'Sum', 'Average')
      expect(answered).toMatchObject({ Datapoints: [{ Sum: 1, Average: 1, Unit: 'Count' }] })
      expect(await cloudwatch('list-metrics', ...metric)).toMatchObject({
        Metrics: [{ Dimensions: [{ Name: 'TableName', Value: 'things' }] }],
      })
      const refused = cloudwatch(...statistics, '--period', '7', '--statistics', 'Sum')
      await expect(refused).rejects.toThrow('(InvalidParameterValue)')
    })
  }
})
