import {
  CloudWatchClient,
  type Datapoint,
  GetMetricStatisticsCommand,
  type Statistic,
} from '@aws-sdk/client-cloudwatch'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { createLocal, type Local, type LocalOptions } from '../local.js'

/** The start time of tests: a full hour, so that minutes and longer periods begin with it. */
export const START = 1_800_000_000_000

const MINUTE = 60_000

/** An engine on virtual time, with SDK clients for its tables and its metrics. */
export class CloudwatchFixture {
  readonly clock = new VirtualClock(START)
  readonly local: Local
  readonly client: DynamoDBClient
  readonly cloudwatch: CloudWatchClient

  constructor(options: LocalOptions = {}) {
    this.local = createLocal({
      clock: this.clock,
      random: new SeededRandom(7),
      transactionMilliseconds: 0,
      ...options,
    })
    this.client = this.local.client({ maxAttempts: 1 })
    this.cloudwatch = new CloudWatchClient({ ...this.local.connection() })
  }

  /** Points of a metric from the start of the test until now, oldest first. */
  async points(
    metric: string,
    dimensions: { readonly [name: string]: string },
    statistics: readonly Statistic[] = ['Sum'],
    minutes = 1,
  ): Promise<readonly Datapoint[]> {
    const { Datapoints = [] } = await this.cloudwatch.send(
      new GetMetricStatisticsCommand({
        Namespace: 'AWS/DynamoDB',
        MetricName: metric,
        Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
        StartTime: new Date(START),
        EndTime: new Date(this.clock.now() + MINUTE),
        Period: 60 * minutes,
        Statistics: [...statistics],
      }),
    )
    return Datapoints
  }

  /** The sums of a metric, minute by minute, without minutes that have no point. */
  async sums(
    metric: string,
    dimensions: { readonly [name: string]: string } = { TableName: 'things' },
  ): Promise<readonly (number | undefined)[]> {
    return (await this.points(metric, dimensions)).map(({ Sum }) => Sum)
  }
}
