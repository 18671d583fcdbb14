import { type CloudWatchClient, GetMetricDataCommand, type MetricDataQuery } from '@aws-sdk/client-cloudwatch'
import type { Access } from '../events/event.js'
import { invalidOption, refuseUnknown } from '../options/check.js'
import { type Duration, parseDuration } from '../options/duration.js'
import type { TableMetrics, TableUsage } from '../scaling/sensing/table-usage.js'
import { tableNameOf } from '../sdk/tables-by-name.js'

/** Options of `cloudWatch`. */
export interface CloudWatchOptions {
  /**
   * How long after its end a minute is complete in CloudWatch. A shorter time gives an earlier answer, from a minute that
   * may lack a part. Default `'60s'`.
   */
  readonly delay?: Duration | undefined
}

const PERIOD_SECONDS = 60
const PERIOD_MILLISECONDS = 1_000 * PERIOD_SECONDS

/** If the newest minute is late, an earlier one is used. */
const MAX_PERIODS = 5

const NAMES: Readonly<Record<Access, string>> = { read: 'Read', write: 'Write' }

/** The metrics of throttles by the table as a whole. They exist since 2025. */
const TABLE_THROTTLES = ['Provisioned', 'MaxOnDemand', 'Account'] as const

/**
 * Reads the use of tables from CloudWatch, as AWS's design does: the consumed capacity of a minute, and the throttles by
 * the resource that throttled them, where CloudWatch has them.
 *
 * It takes two to three minutes from the first throttle to the answer, because the minute must have begun after it, and
 * CloudWatch must have received it. While throttles continue, one request a minute is sent for each table and kind of
 * access.
 *
 * The credentials need the permission `cloudwatch:GetMetricData`. This is a separate entry, so that `isotherm` itself
 * does not need `@aws-sdk/client-cloudwatch`.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example
 * const db = isotherm(client, { tables, tableMetrics: cloudWatch(new CloudWatchClient({})) })
 */
export function cloudWatch(
  client: Pick<CloudWatchClient, 'send'>,
  options: CloudWatchOptions = {},
): TableMetrics {
  if (typeof Object(client).send !== 'function') {
    throw invalidOption('cloudWatch(client)', client, 'a CloudWatchClient of the AWS SDK v3')
  }
  refuseUnknown('cloudWatch', options, ['delay'])
  const delay = parseDuration('cloudWatch.delay', options.delay ?? '60s')
  return async ({ table, access, since, now }) => {
    const to = floorToPeriod(now - delay)
    const from = Math.max(floorToPeriod(since) + PERIOD_MILLISECONDS, to - MAX_PERIODS * PERIOD_MILLISECONDS)
    if (to <= from) return undefined
    const { MetricDataResults = [] } = await client.send(
      new GetMetricDataCommand({
        StartTime: new Date(from),
        EndTime: new Date(to),
        ScanBy: 'TimestampDescending',
        MetricDataQueries: queriesOf(tableNameOf(table) ?? table, access),
      }),
    )
    const sums = new Map(
      MetricDataResults.map(({ Id = '', Timestamps = [], Values = [] }) => [
        Id,
        new Map(Timestamps.map((at, index) => [at.getTime(), Values[index] ?? 0])),
      ]),
    )
    return usageOf(sums)
  }
}

function queriesOf(table: string, access: Access): MetricDataQuery[] {
  const kind = NAMES[access]
  const query = (Id: string, MetricName: string): MetricDataQuery => ({
    Id,
    MetricStat: {
      Metric: {
        Namespace: 'AWS/DynamoDB',
        MetricName,
        Dimensions: [{ Name: 'TableName', Value: table }],
      },
      Period: PERIOD_SECONDS,
      Stat: 'Sum',
    },
  })
  return [
    query('consumed', `Consumed${kind}CapacityUnits`),
    query('partition', `${kind}KeyRangeThroughputThrottleEvents`),
    query('tableProvisioned', `${kind}ProvisionedThroughputThrottleEvents`),
    query('tableMaxOnDemand', `${kind}MaxOnDemandThroughputThrottleEvents`),
    query('tableAccount', `${kind}AccountLimitThrottleEvents`),
  ]
}

/** @param sums of each metric, by the beginning of the period */
function usageOf(sums: ReadonlyMap<string, ReadonlyMap<number, number>>): TableUsage | undefined {
  const [newest] = sums.get('consumed') ?? []
  // A table without any consumed capacity has no such metric. Its throttles still have.
  const at = newest?.[0] ?? sums.get('partition')?.keys().next().value
  if (at === undefined) return undefined
  const sumOf = (metric: string) => sums.get(metric)?.get(at) ?? 0
  const partition = sumOf('partition')
  const table = TABLE_THROTTLES.reduce((sum, limit) => sum + sumOf(`table${limit}`), 0)
  const unitsPerSecond = sumOf('consumed') / PERIOD_SECONDS
  return partition + table === 0 ? { unitsPerSecond } : { unitsPerSecond, throttles: { partition, table } }
}

function floorToPeriod(at: number): number {
  return Math.floor(at / PERIOD_MILLISECONDS) * PERIOD_MILLISECONDS
}
