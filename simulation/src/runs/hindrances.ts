import type { Hindrances } from '../invariants/answers.js'
import type { Settings, WorkloadName } from './settings.js'

/** Reads that are no transaction: nobody is in their way. */
const READS = new Set(['Query', 'Scan', 'GetItem', 'BatchGetItem'])

/**
 * Where a request fails as seldom as this after all its attempts, a call of fifty or more of them fails seldom enough: as
 * measured over hundreds of runs, no more than a sixth of them.
 */
const SELDOM = 0.003
const MOST_UNANSWERED = 0.5

/** Those whose tables have indexes of the service: one that cannot follow holds writes up, whatever partitions take. */
const INDEXED: ReadonlySet<WorkloadName> = new Set<WorkloadName>(['indexed-items', 'queue', 'pool', 'search'])

/** What goes wrong in such a run: an error that it does not bring about is a mistake of the library. */
export function hindrancesOf(settings: Settings): Hindrances {
  const { faults, maxAttempts } = settings
  const { lostRequests, lostReplies, lateRequests, serverErrors } = faults
  const failing = lostRequests + lostReplies + lateRequests + serverErrors
  const isSeldom = failing ** maxAttempts <= SELDOM
  const causes = causesOf(settings)
  // A write is reported as unanswered if one of its attempts was, and all that follow are throttled.
  const staysUnanswered = failing > 0 && mayThrottle(settings)
  const isBound = (operation: string) =>
    isSeldom &&
    !hasOutages(settings) &&
    !outlastsViews(settings) &&
    (READS.has(operation) || !staysUnanswered)
  return {
    mayCome: (error, operation) => causes[error]?.(READS.has(operation)) ?? true,
    mostUnanswered: (operation) => (isBound(operation) ? MOST_UNANSWERED : undefined),
  }
}

/** By errors; of those that are not here no application should ever see any, which is checked elsewhere. */
function causesOf(settings: Settings): Readonly<Record<string, (isRead: boolean) => boolean>> {
  const { faults } = settings
  const { lostRequests, lostReplies, lateRequests, serverErrors } = faults
  const { pauseIntervalMilliseconds, jumpIntervalMilliseconds } = faults
  const isUnanswered = lostRequests + lostReplies + lateRequests > 0
  const isHeldUp =
    isUnanswered ||
    serverErrors > 0 ||
    Number.isFinite(pauseIntervalMilliseconds) ||
    Number.isFinite(jumpIntervalMilliseconds) ||
    hasOutages(settings) ||
    outlastsViews(settings)
  const throttles = () => mayThrottle(settings)
  const writes = (isRead: boolean) => !isRead
  return {
    // A write is aborted some time after its view has expired. A process that stood still finds that time passed.
    TimeoutError: (isRead) => isUnanswered || (!isRead && (isHeldUp || outlastsDeadlines(settings))),
    InternalServerError: () => serverErrors > 0 || hasOutages(settings),
    ProvisionedThroughputExceededException: throttles,
    ThrottlingException: throttles,
    RequestLimitExceeded: throttles,
    'query.outdated': () => isHeldUp,
    'shard-map.slow': () => isHeldUp,
    'shard-map.unavailable': () => isHeldUp || throttles(),
    ConditionalCheckFailedException: writes,
    TransactionConflictException: writes,
    TransactionInProgressException: writes,
    // Items that are being moved are read in transactions, and so may be in somebody's way: a query asks for none of them.
    TransactionCanceledException: () => true,
  }
}

function hasOutages({ faults }: Settings): boolean {
  return Number.isFinite(faults.outageIntervalMilliseconds)
}

/** An item on its way is looked for once more in each stage, and a key may have been lowered time and again. */
const LOOKS = 8

/** Whether all looks for an item, and five requests and answers, may take as long as a view of the shard map lasts. */
function outlastsViews({ faults, table }: Settings): boolean {
  const { batchSpreadMilliseconds, delayMilliseconds } = faults
  const { slowShardMapReads, slowMilliseconds } = faults
  const slow = slowShardMapReads > 0 ? slowMilliseconds : 0
  return LOOKS * batchSpreadMilliseconds + 10 * delayMilliseconds + slow >= table.cacheMilliseconds
}

/** Whether a write that is sent at the end of its view may be without an answer for half of `lateRequests`. */
function outlastsDeadlines({ faults, table, engine }: Settings): boolean {
  const { batchSpreadMilliseconds, delayMilliseconds } = faults
  const longest = batchSpreadMilliseconds + 10 * delayMilliseconds + engine.transactionMilliseconds
  return 2 * longest >= table.lateMilliseconds
}

function mayThrottle({ engine, faults, workload }: Settings): boolean {
  return engine.throttles || faults.throttledReads > 0 || INDEXED.has(workload)
}
