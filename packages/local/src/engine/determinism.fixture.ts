import {
  CloudWatchClient,
  GetInsightRuleReportCommand,
  GetMetricDataCommand,
  ListMetricsCommand,
  type Metric,
} from '@aws-sdk/client-cloudwatch'
import {
  DescribeContributorInsightsCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  type PutItemCommand,
  UpdateContributorInsightsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams'
import { addIndex, createTable } from '@isotherm/fixtures'
import { randomInteger, SeededRandom, VirtualClock } from '@isotherm/runtime'
import { createLocal, type Local } from '../local.js'
import { drawCommand, TABLES } from './mixed-load.fixture.js'

const WORKERS = 5
const STEPS = 120
const START = 1_800_000_000_000

/** Everything observable of a run, line by line: the responses to clients with their times, and the final state. */
export async function runOf(seed: number): Promise<readonly string[]> {
  const clock = new VirtualClock(START)
  const lines: string[] = []
  const tell = (...what: unknown[]) => lines.push(JSON.stringify([clock.now() - START, ...what]))
  const local = createLocal({
    clock,
    random: new SeededRandom(seed),
    // Small partitions, which split for heat and for size within seconds.
    capacity: {
      partitionReadUnitsPerSecond: 120,
      partitionWriteUnitsPerSecond: 20,
      heatSeconds: 2,
      heatThreshold: 0.3,
      partitionBytes: 30_000,
    },
    streams: { streamShardMilliseconds: 7_000 },
    propagation: { indexQueueUnits: 30, indexLagMilliseconds: 80, readLagMilliseconds: 40 },
    controlPlaneDelays: { setUpIndex: 1_500, backfillIndex: 2_500, changeThroughput: 700 },
    transactionMilliseconds: 60,
    onPartitionEvent: (event) => tell('partition', event),
  })
  await clock.run(async () => {
    await makeTables(local.client())
    const workers = Array.from({ length: WORKERS }, (_, worker) => work(local, clock, seed, worker, tell))
    await Promise.all([...workers, operate(local.client(), clock, tell)])
    await look(local, clock, tell)
  })
  await local.close()
  return lines
}

type Tell = (...what: unknown[]) => void
async function makeTables(client: DynamoDBClient): Promise<void> {
  for (const TableName of TABLES) {
    await client.send(
      createTable(TableName, ['id', 'at'], {
        ...(TableName === 'provisioned' ? { units: { read: 30, write: 15 } } : {}),
        global: { by_kind: ['kind'] },
        stream: 'NEW_AND_OLD_IMAGES',
      }),
    )
    const TimeToLiveSpecification = { Enabled: true, AttributeName: 'expires' }
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }))
    await client.send(
      new UpdateContributorInsightsCommand({ TableName, ContributorInsightsAction: 'ENABLE' }),
    )
  }
}

async function work(
  local: Local,
  clock: VirtualClock,
  seed: number,
  worker: number,
  tell: Tell,
): Promise<void> {
  const random = new SeededRandom(seed * 1000 + worker)
  const client = local.client({
    maxAttempts: 1 + (worker % 2),
    retryMode: worker === 1 ? 'adaptive' : 'standard',
  })
  for (let step = 0; step < STEPS; step++) {
    const command = drawCommand(random, clock.now())
    const { name } = command.constructor
    try {
      tell(worker, name, await client.send(command as PutItemCommand))
    } catch (error) {
      if (!(error instanceof Error)) throw error
      tell(worker, name, error.name, error.message, error)
    }
    await clock.sleep(randomInteger(random, 0, 120))
  }
}

/** The actions of an operator during the run. */
async function operate(client: DynamoDBClient, clock: VirtualClock, tell: Tell): Promise<void> {
  await clock.sleep(2_000)
  const TableName = 'provisioned'
  const ProvisionedThroughput = { ReadCapacityUnits: 20, WriteCapacityUnits: 60 }
  tell(await client.send(new UpdateTableCommand({ TableName, ProvisionedThroughput })))
  await clock.sleep(1_000)
  const byTime = addIndex('on-demand', 'by_time', { key: ['at'], projected: 'KEYS_ONLY' })
  tell(await client.send(new UpdateTableCommand(byTime)))
}

/** The final state: tables, partitions, streams, metrics. */
async function look(local: Local, clock: VirtualClock, tell: Tell): Promise<void> {
  const client = local.client()
  for (const TableName of TABLES) {
    tell(await client.send(new DescribeTableCommand({ TableName })))
    for (const index of [undefined, 'by_kind', 'by_time']) tell(local.partitions(TableName, index))
  }
  const streams = new DynamoDBStreamsClient(local.connection())
  const { Streams = [] } = await streams.send(new ListStreamsCommand({}))
  for (const { StreamArn } of Streams) {
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }))
    tell(StreamDescription)
    for (const { ShardId } of StreamDescription?.Shards ?? []) {
      const { ShardIterator } = await streams.send(
        new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
      )
      tell('records', await streams.send(new GetRecordsCommand({ ShardIterator })))
    }
  }
  const cloudwatch = new CloudWatchClient(local.connection())
  const [StartTime, EndTime] = [new Date(START), new Date(clock.now() + 60_000)]
  const { Metrics = [] } = await cloudwatch.send(new ListMetricsCommand({ Namespace: 'AWS/DynamoDB' }))
  const query = (Metric: Metric, number: number) => ({
    Id: `m${number}`,
    MetricStat: { Metric, Period: 60, Stat: 'Sum' },
  })
  const MetricDataQueries = Metrics.map(query)
  tell('metrics', await cloudwatch.send(new GetMetricDataCommand({ StartTime, EndTime, MetricDataQueries })))
  for (const TableName of TABLES) {
    const insights = await client.send(new DescribeContributorInsightsCommand({ TableName }))
    tell(insights)
    for (const RuleName of insights.ContributorInsightsRuleList ?? []) {
      const report = new GetInsightRuleReportCommand({ RuleName, StartTime, EndTime, Period: 60 })
      tell('report', await cloudwatch.send(report))
    }
  }
  tell(local.statistics().requests, local.statistics().throttledRequests)
}
