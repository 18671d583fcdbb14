import { type CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch'

/** Units per second of a table, from CloudWatch. */
export interface ConsumedUnits {
  readonly peakWrites: number
  readonly peakReads: number
  readonly meanWrites: number
  readonly meanReads: number
  /** Requests that were throttled because of a partition. Then a key is hot, or several are in one partition. */
  readonly keyRangeThrottles: number
  /** How many minutes had a figure. Without any, nothing was measured, which is not zero. */
  readonly minutes: number
}

/** Which table, and in which time. */
export interface ConsumptionQuery {
  readonly table: string
  readonly from: Date
  readonly to: Date
  readonly signal: AbortSignal
}

const PERIOD_SECONDS = 60
const KINDS = ['Write', 'Read'] as const
/** Of a kind, such as `ConsumedWriteCapacityUnits`. */
const METRICS = {
  consumed: (kind: string) => `Consumed${kind}CapacityUnits`,
  throttled: (kind: string) => `${kind}KeyRangeThroughputThrottleEvents`,
}
/** Fifteen days of minutes come in a few pages. */
const MAX_PAGES = 50

/** What a table consumed between two times. Peaks are means of a minute: CloudWatch has no shorter ones. */
export async function consumedUnits(
  client: CloudWatchClient,
  { table, from, to, signal }: ConsumptionQuery,
): Promise<ConsumedUnits> {
  const sums = new Map<string, number[]>()
  const valuesOf = (id: string) => sums.get(id) ?? []
  let token: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const { MetricDataResults = [], NextToken } = await client.send(
      new GetMetricDataCommand({
        StartTime: from,
        EndTime: to,
        ...(token === undefined ? {} : { NextToken: token }),
        MetricDataQueries: Object.entries(METRICS).flatMap(([what, nameOf]) =>
          KINDS.map((kind) => ({
            Id: what + kind,
            MetricStat: {
              Metric: {
                Namespace: 'AWS/DynamoDB',
                MetricName: nameOf(kind),
                Dimensions: [{ Name: 'TableName', Value: table }],
              },
              Period: PERIOD_SECONDS,
              Stat: 'Sum',
            },
          })),
        ),
      }),
      { abortSignal: signal },
    )
    for (const { Id = '', Values = [] } of MetricDataResults) sums.set(Id, [...valuesOf(Id), ...Values])
    token = NextToken
    if (token === undefined) break
  }
  const seconds = Math.max(PERIOD_SECONDS, (to.getTime() - from.getTime()) / 1_000)
  const peak = (values: readonly number[]) =>
    values.reduce((most, value) => Math.max(most, value), 0) / PERIOD_SECONDS
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const [writes, reads] = [valuesOf('consumedWrite'), valuesOf('consumedRead')]
  return {
    peakWrites: peak(writes),
    peakReads: peak(reads),
    meanWrites: sum(writes) / seconds,
    meanReads: sum(reads) / seconds,
    keyRangeThrottles: sum(valuesOf('throttledWrite')) + sum(valuesOf('throttledRead')),
    minutes: Math.max(writes.length, reads.length),
  }
}
