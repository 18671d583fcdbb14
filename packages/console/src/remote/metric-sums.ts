import { type CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch'

/** A metric of a table or an index, under an id of the caller. */
export interface WantedMetric {
  readonly id: string
  readonly name: string
  readonly table: string
  readonly index: string | undefined
}

/** A span of whole periods, in milliseconds since the epoch. */
export interface MetricSpan {
  readonly from: number
  readonly to: number
  readonly seconds: number
}

/** What one request may ask for. https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html */
export const MAX_METRICS = 500
/** Four weeks of ten metrics in the width of a screen are a few pages. */
const MAX_PAGES = 20

/** The sums of metrics by id, and by the beginning of each period. */
export async function metricSums(
  client: CloudWatchClient,
  metrics: readonly WantedMetric[],
  { from, to, seconds }: MetricSpan,
): Promise<ReadonlyMap<string, ReadonlyMap<number, number>>> {
  const sums = new Map(metrics.map(({ id }) => [id, new Map<number, number>()]))
  let NextToken: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await client.send(
      new GetMetricDataCommand({
        StartTime: new Date(from),
        EndTime: new Date(to),
        ...(NextToken === undefined ? {} : { NextToken }),
        MetricDataQueries: metrics.map(({ id, name, table, index }) => ({
          Id: id,
          MetricStat: {
            Metric: {
              Namespace: 'AWS/DynamoDB',
              MetricName: name,
              Dimensions: [
                { Name: 'TableName', Value: table },
                ...(index === undefined ? [] : [{ Name: 'GlobalSecondaryIndexName', Value: index }]),
              ],
            },
            Period: seconds,
            Stat: 'Sum',
          },
        })),
      }),
    )
    for (const { Id = '', Timestamps = [], Values = [] } of answer.MetricDataResults ?? []) {
      for (const [at, time] of Timestamps.entries()) sums.get(Id)?.set(time.getTime(), Values[at] ?? 0)
    }
    NextToken = answer.NextToken
    if (NextToken === undefined) break
  }
  return sums
}
