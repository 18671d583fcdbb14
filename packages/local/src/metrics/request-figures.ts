import { ServiceError } from '../errors/service-error.js'
import type { Table } from '../table/table.js'
import type { TableMeter } from '../table/table-meter.js'
import type { Metrics } from './metrics.js'
import type { MeteredRequest, Touched } from './touched.js'

/** Members of responses that show how much was returned. */
interface Answer {
  readonly Count?: number
  readonly Items?: readonly unknown[]
  readonly Records?: readonly { readonly dynamodb: { readonly SizeBytes: number } }[]
}

/** Operations whose responses count as returned items. */
const RETURNING_ITEMS: ReadonlySet<string> = new Set(['Query', 'Scan', 'ExecuteStatement'])

const THROTTLES: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
])
/** The throttling codes inside a cancelled transaction. */
const THROTTLE_CODES: ReadonlySet<unknown> = new Set(['ProvisionedThroughputExceeded', 'ThrottlingError'])

/** Records a successful request. */
export function recordSuccess(metrics: Metrics, request: MeteredRequest, output: object, now: number): void {
  const { operation, tables, conflicts, from } = request
  if (conflicts !== undefined) recordConflicts(conflicts, now)
  const milliseconds = now - from
  const answer: Answer = output
  const first = tables[0]
  if (first !== undefined) {
    first.meter?.latency(operation, milliseconds, now)
    if (RETURNING_ITEMS.has(operation)) {
      first.meter?.returnedItems(operation, answer.Count ?? answer.Items?.length ?? 0, now)
    }
    if (tables.length > 1) {
      for (const meter of metersOf(request)) {
        if (meter !== first.meter) meter.latency(operation, milliseconds, now)
      }
    }
  } else if (request.stream !== undefined && answer.Records !== undefined) {
    const { region, tableName, label } = request.stream
    const bytes = answer.Records.reduce((sum, { dynamodb }) => sum + dynamodb.SizeBytes, 0)
    metrics.lastTable(region, tableName)?.records(label, answer.Records.length, bytes, milliseconds, now)
  }
}

/**
 * Records a failed request. The classes of errors are documented:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
 */
export function recordFailure(metrics: Metrics, request: MeteredRequest, error: unknown, now: number): void {
  const { operation, region } = request
  const meters = metersOf(request)
  if (!(error instanceof ServiceError) || error.httpStatus >= 500) {
    for (const meter of meters) meter.systemError(operation, now)
  } else if (THROTTLES.has(error.name)) {
    for (const meter of meters) meter.throttledRequest(operation, now)
  } else if (error.name === 'ConditionalCheckFailedException') {
    for (const meter of meters) meter.failedCondition(now)
  } else {
    metrics.userError(region, now)
    if (error.name === 'TransactionConflictException') {
      for (const meter of meters) meter.transactionConflict(1, now)
    } else if (error.name === 'TransactionCanceledException') recordCancellation(request, error, now)
  }
}

function recordConflicts(tables: readonly Table[], now: number): void {
  const items = new Map<TableMeter, number>()
  for (const { meter } of tables) if (meter !== undefined) items.set(meter, (items.get(meter) ?? 0) + 1)
  for (const [meter, count] of items) meter.transactionConflict(count, now)
}

/** Reasons are in the order of the actions, which is also the order in which their tables were looked up. */
function recordCancellation({ operation, tables }: MeteredRequest, error: ServiceError, now: number): void {
  const reasons = error.members.CancellationReasons as readonly { readonly Code?: string }[]
  const throttled = new Set<TableMeter>()
  const conflicts: Table[] = []
  for (const [at, { Code }] of reasons.entries()) {
    const table = tables[at]
    if (table?.meter === undefined) continue
    if (THROTTLE_CODES.has(Code)) throttled.add(table.meter)
    if (Code === 'TransactionConflict') conflicts.push(table)
  }
  for (const meter of throttled) meter.throttledRequest(operation, now)
  recordConflicts(conflicts, now)
}

/** The meter of each table, once. */
function metersOf({ tables }: Touched): ReadonlySet<TableMeter> {
  const meters = new Set<TableMeter>()
  for (const { meter } of tables) if (meter !== undefined) meters.add(meter)
  return meters
}
