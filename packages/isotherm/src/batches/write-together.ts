import { BatchWriteItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb'
import { type AttemptLog, guardAttempts, StaleView, ThrottledAttempt } from '../attempts/attempt-guard.js'
import { attemptsOf } from '../attempts/attempt-metadata.js'
import { itemName } from '../keys/item-name.js'
import { presentedMetrics } from '../keys/presented-item.js'
import { keyNames } from '../reads/read-sources.js'
import type { RequestContext } from '../sdk/request-context.js'
import type { TablesByName } from '../sdk/tables-by-name.js'
import { type Throttle, throttleOf } from '../sdk/throttle.js'
import type { WrittenTable } from '../writes/written-table.js'
import { attributesOf, isSharded, type ShardedWriteMember, type WriteMember } from './batch-write-plan.js'
import type { BatchWriteResult } from './batch-write-result.js'
import { type LeftOut, TogetherMember } from './together-member.js'

/** What is still to be written. */
interface Remaining {
  /** Of tables that are not sharded. */
  readonly plain: readonly WriteMember[]
  readonly sharded: readonly TogetherMember[]
}

/** What one request came to: `stale` is one that was not sent, since what it was decided on was too old. */
type Outcome =
  | { readonly kind: 'answered'; readonly unprocessed: Readonly<Record<string, readonly WriteRequest[]>> }
  | { readonly kind: 'throttled'; readonly throttle: Throttle }
  | { readonly kind: 'stale' }

/** Writes the members in one request, and those that the service leaves out in another, as long as they have attempts left. */
export async function writeTogether(
  tables: TablesByName<WrittenTable>,
  members: readonly (WriteMember | ShardedWriteMember)[],
  context: RequestContext,
  result: BatchWriteResult,
): Promise<void> {
  const begin = (member: ShardedWriteMember) => TogetherMember.begin(member, context.options?.abortSignal)
  let remaining: Remaining = {
    plain: members.filter((member) => !isSharded(member)),
    sharded: await Promise.all(members.filter(isSharded).map(begin)),
  }
  while (remaining.plain.length + remaining.sharded.length > 0) {
    const outcome = await sendOnce(tables, remaining, context, result)
    remaining = await afterwards(tables, remaining, outcome, result)
  }
}

async function sendOnce(
  tables: TablesByName<WrittenTable>,
  { plain, sharded }: Remaining,
  context: RequestContext,
  result: BatchWriteResult,
): Promise<Outcome> {
  const requests: Record<string, WriteRequest[]> = {}
  const add = (tableName: string, request: WriteRequest) => {
    const list = requests[tableName] ?? []
    list.push(request)
    requests[tableName] = list
  }
  for (const { tableName, given } of plain) add(tableName, given)
  for (const { member, request } of sharded) add(member.tableName, request)
  const command = new BatchWriteItemCommand({ RequestItems: requests, ...result.asked })
  context.carryMiddleware(command)
  const log: AttemptLog = { unanswered: undefined }
  guard(command, sharded, log)
  try {
    const output = await tables.client.send(command, context.options)
    result.metadata.add(output.$metadata)
    result.add(output.ConsumedCapacity, undefined)
    for (const [tableName, metrics] of Object.entries(output.ItemCollectionMetrics ?? {})) {
      const table = tables.of(tableName)
      const shown = table === undefined ? metrics : metrics.map((entry) => presentedMetrics(table, entry))
      result.add(undefined, { [tableName]: shown })
    }
    return { kind: 'answered', unprocessed: output.UnprocessedItems ?? {} }
  } catch (error) {
    return refusalOf(error, result)
  } finally {
    if (log.unanswered !== undefined) for (const member of sharded) member.unanswered(log.unanswered)
  }
}

/** The SDK's own retries are kept for batches in which nothing is sharded. */
function guard(command: BatchWriteItemCommand, sharded: readonly TogetherMember[], log: AttemptLog): void {
  const [first] = sharded
  if (first === undefined) return
  const validUntil = Math.min(...sharded.map((member) => member.validUntil))
  guardAttempts(command, { clock: first.member.table.clock, validUntil }, log)
}

function refusalOf(error: unknown, result: BatchWriteResult): Outcome {
  if (error instanceof StaleView) {
    // The attempt that was stopped was not sent; those before it were.
    result.metadata.addAttempts(attemptsOf(error) - 1)
    return { kind: 'stale' }
  }
  const throttle = error instanceof ThrottledAttempt ? error.throttle : throttleOf(error)
  if (throttle === undefined) throw error
  result.metadata.addAttempts(attemptsOf(error))
  return { kind: 'throttled', throttle }
}

async function afterwards(
  tables: TablesByName<WrittenTable>,
  { plain, sharded }: Remaining,
  outcome: Outcome,
  result: BatchWriteResult,
): Promise<Remaining> {
  if (outcome.kind === 'stale') {
    return { plain, sharded: await goOn(sharded, (member) => member.lookAgain(), result) }
  }
  if (outcome.kind === 'throttled') {
    const again = await tryAgain(sharded, outcome.throttle, result)
    // The SDK would have tried the batch again, too, so the others go along as long as there is one to go.
    if (again.length > 0) return { plain, sharded: again }
    for (const member of plain) result.leaveOut(member, outcome.throttle.error)
    return { plain: [], sharded: [] }
  }
  const { unprocessed } = outcome
  for (const [tableName, requests] of Object.entries(unprocessed)) {
    if (tables.of(tableName) !== undefined) continue
    for (const given of requests) result.leaveOut({ tableName, given })
  }
  // mark: batch-sends-again-what-was-left-out
  const refused = sharded.filter(isAmong(tables, unprocessed))
  for (const member of sharded) if (!refused.includes(member)) member.written()
  return { plain: [], sharded: await tryAgain(refused, undefined, result) }
}

/** @returns the members that are sent again, to wherever they go next */
async function tryAgain(
  refused: readonly TogetherMember[],
  throttle: Throttle | undefined,
  result: BatchWriteResult,
): Promise<readonly TogetherMember[]> {
  const [first] = refused
  if (first === undefined) return []
  const { clock } = first.member.table
  const from = clock.now()
  const again = await goOn(refused, (member) => member.refused(throttle), result)
  result.metadata.addWait(clock.now() - from)
  return again
}

/** @returns the members that go on; the others are left out */
async function goOn(
  members: readonly TogetherMember[],
  next: (member: TogetherMember) => Promise<LeftOut | undefined>,
  result: BatchWriteResult,
): Promise<readonly TogetherMember[]> {
  const leftOut = await Promise.all(members.map(next))
  for (const [index, { member }] of members.entries()) {
    const left = leftOut[index]
    if (left !== undefined) result.leaveOut(member, left.error)
  }
  return members.filter((_member, index) => leftOut[index] === undefined)
}

/** Whether the service left the member out; no two members of a batch have one key. */
function isAmong(
  tables: TablesByName<WrittenTable>,
  unprocessed: Readonly<Record<string, readonly WriteRequest[]>>,
) {
  const nameOf = (table: WrittenTable, request: WriteRequest) =>
    `${table.options.name}/${itemName(keyNames(table), attributesOf(request))}`
  const names = new Set(
    Object.entries(unprocessed).flatMap(([tableName, requests]) => {
      const table = tables.of(tableName)
      return table === undefined ? [] : requests.map((request) => nameOf(table, request))
    }),
  )
  return ({ member, request }: TogetherMember) => names.has(nameOf(member.table, request))
}
