import { type CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch'

/** Units per second of a table, from CloudWatch. */
export interface ConsumedUnits {
  readonly peakWrites: number
  readonly peakReads: number
  readonly meanWrites: number
  readonly meanReads: number
  /** How many minutes had a figure. Without any, nothing was measured, which is not zero. */
  readonly minutes: number
}

const PERIOD_SECONDS = 60
const KINDS = ['Write', 'Read'] as const
/** Fifteen days of minutes come in a few pages. */
const MAX_PAGES = 50

/** What a table consumed between two times. Peaks are means of a minute: CloudWatch has no shorter ones. */
export async function consumedUnits(
  client: CloudWatchClient,
  {
    table,
    from,
    to,
    signal,
  }: { readonly table: string; readonly from: Date; readonly to: Date; readonly signal: AbortSignal },
): Promise<ConsumedUnits> {
  const sums: { readonly [kind in (typeof KINDS)[number]]: number[] } = { Write: [], Read: [] }
  let token: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const { MetricDataResults = [], NextToken } = await client.send(
      new GetMetricDataCommand({
        StartTime: from,
        EndTime: to,
        ...(token === undefined ? {} : { NextToken: token }),
        MetricDataQueries: KINDS.map((kind) => ({
          Id: kind.toLowerCase(),
          MetricStat: {
            Metric: {
              Namespace: 'AWS/DynamoDB',
              MetricName: `Consumed${kind}CapacityUnits`,
              Dimensions: [{ Name: 'TableName', Value: table }],
            },
            Period: PERIOD_SECONDS,
            Stat: 'Sum',
          },
        })),
      }),
      { abortSignal: signal },
    )
    for (const { Id, Values = [] } of MetricDataResults)
      sums[Id === 'write' ? 'Write' : 'Read'].push(...Values)
    token = NextToken
    if (token === undefined) break
  }
  const seconds = Math.max(PERIOD_SECONDS, (to.getTime() - from.getTime()) / 1_000)
  const peak = (values: readonly number[]) =>
    values.reduce((most, value) => Math.max(most, value), 0) / PERIOD_SECONDS
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / seconds
  return {
    peakWrites: peak(sums.Write),
    peakReads: peak(sums.Read),
    meanWrites: mean(sums.Write),
    meanReads: mean(sums.Read),
    minutes: Math.max(sums.Write.length, sums.Read.length),
  }
}
