import {
  BatchWriteItemCommand,
  type BatchWriteItemCommandOutput,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import type { ShardRequest } from '../attempts/attempt-guard.js'
import { type Refusal, sendUntilAnswered, type UnshardedRequest } from '../attempts/attempt-loop.js'
import { lateBoundOf } from '../attempts/late-bound.js'
import { itemName } from '../keys/item-name.js'
import { presentedMetrics } from '../keys/presented-item.js'
import { keyNames } from '../reads/read-sources.js'
import type { RequestContext } from '../sdk/request-context.js'
import type { TablesByName } from '../sdk/tables-by-name.js'
import { throttleOf } from '../sdk/throttle.js'
import type { WrittenTable } from '../writes/written-table.js'
import { attributesOf, isSharded, type ShardedWriteMember, type WriteMember } from './batch-write-plan.js'
import type { BatchWriteResult } from './batch-write-result.js'
import type { Left, MemberInBatch } from './member-in-batch.js'
import { OnceMember } from './once-member.js'
import { TogetherMember } from './together-member.js'

/** The members that remain to be written. */
interface Remaining {
  /** Members of unsharded tables. */
  readonly plain: readonly WriteMember[]
  readonly sharded: readonly MemberInBatch[]
}

/**
 * Writes the members in one request, and unprocessed ones in further requests while they have attempts left.
 * @returns the members that were not written, and are to be written singly
 */
export async function writeTogether(
  tables: TablesByName<WrittenTable>,
  members: readonly (WriteMember | ShardedWriteMember)[],
  context: RequestContext,
  result: BatchWriteResult,
): Promise<readonly ShardedWriteMember[]> {
  const singly: ShardedWriteMember[] = []
  const goOn: GoOn = (sharded, next) => goingOn(sharded, next, singly, result)
  let remaining: Remaining = {
    plain: members.filter((member) => !isSharded(member)),
    sharded: await begun(members.filter(isSharded), context.options?.abortSignal, singly),
  }
  while (remaining.plain.length + remaining.sharded.length > 0) {
    const outcome = await sendUntilAnswered<BatchWriteItemCommandOutput>(tables.client, context.options, {
      budget: {
        metadata: result.metadata,
        async refused(refusal) {
          // The SDK would have retried the batch, too. So unsharded members are sent again as long as sharded ones are.
          const sharded = await tryAgain(remaining.sharded, refusal, goOn, result)
          if (sharded.length > 0) {
            remaining = { ...remaining, sharded }
            return undefined
          }
          for (const member of remaining.plain) result.leaveOut(member, refusal.error)
          return refusal.error
        },
      },
      next: () => requestFor(remaining, context, result),
      refusalOf: throttleOf,
    })
    if (outcome.kind === 'refused') break
    if (outcome.kind === 'failed') throw outcome.error
    remaining =
      outcome.kind === 'answered'
        ? await afterAnswer(tables, remaining.sharded, outcome.output, goOn, result)
        : { ...remaining, sharded: await goOn(remaining.sharded, (member) => member.lookAgain()) }
  }
  return singly
}

/** Returns the members that continue. The others are written singly, or left unprocessed. */
type GoOn = (
  members: readonly MemberInBatch[],
  next: (member: MemberInBatch) => Promise<Left | undefined>,
) => Promise<readonly MemberInBatch[]>

async function begun(
  members: readonly ShardedWriteMember[],
  abortSignal: AbortSignal | undefined,
  singly: ShardedWriteMember[],
): Promise<readonly MemberInBatch[]> {
  const begin = (member: ShardedWriteMember): Promise<MemberInBatch | undefined> =>
    member.table.placementKind === 'calculated' && member.table.options.itemsMayMove
      ? OnceMember.begin(member)
      : TogetherMember.begin(member, abortSignal)
  const together = await Promise.all(members.map(begin))
  singly.push(...members.filter((_member, index) => together[index] === undefined))
  return together.filter((member) => member !== undefined)
}

function requestFor(
  { plain, sharded }: Remaining,
  context: RequestContext,
  result: BatchWriteResult,
): ShardRequest | UnshardedRequest {
  // A table can have the name of a property that every object has, such as `constructor`.
  const requests = new Map<string, WriteRequest[]>()
  const add = (tableName: string, request: WriteRequest) => {
    requests.set(tableName, [...(requests.get(tableName) ?? []), request])
  }
  for (const { tableName, given } of plain) add(tableName, given)
  for (const { member, request } of sharded) add(member.tableName, request)
  const command = new BatchWriteItemCommand({ RequestItems: Object.fromEntries(requests), ...result.asked })
  context.carryMiddleware(command)
  const [first] = sharded
  if (first === undefined) return { command }
  return {
    command,
    clock: first.member.table.clock,
    // mark: batch-ends-with-its-oldest-view
    validUntil: Math.min(...sharded.map((member) => member.validUntil)),
    lateMilliseconds: lateBoundOf(sharded.map(({ member }) => member.table.options)),
    log: {
      set unanswered(error: unknown) {
        for (const member of sharded) member.unanswered(error)
      },
    },
  }
}

async function afterAnswer(
  tables: TablesByName<WrittenTable>,
  sharded: readonly MemberInBatch[],
  output: BatchWriteItemCommandOutput,
  goOn: GoOn,
  result: BatchWriteResult,
): Promise<Remaining> {
  result.add(output.ConsumedCapacity, undefined)
  for (const [tableName, metrics] of Object.entries(output.ItemCollectionMetrics ?? {})) {
    const table = tables.of(tableName)
    const shown = table === undefined ? metrics : metrics.map((entry) => presentedMetrics(table, entry))
    result.add(undefined, { [tableName]: shown })
  }
  const unprocessed = output.UnprocessedItems ?? {}
  for (const [tableName, requests] of Object.entries(unprocessed)) {
    if (tables.of(tableName) !== undefined) continue
    for (const given of requests) result.leaveOut({ tableName, given })
  }
  // mark: batch-sends-again-what-was-left-out
  const refused = sharded.filter(isAmong(tables, unprocessed))
  for (const member of sharded) if (!refused.includes(member)) member.written()
  return { plain: [], sharded: await tryAgain(refused, undefined, goOn, result) }
}

/** @returns the members that are sent again, to their next shards */
async function tryAgain(
  refused: readonly MemberInBatch[],
  refusal: Refusal | undefined,
  goOn: GoOn,
  result: BatchWriteResult,
): Promise<readonly MemberInBatch[]> {
  const [first] = refused
  if (first === undefined) return []
  const { clock } = first.member.table
  const from = clock.now()
  const again = await goOn(refused, (member) => member.refused(refusal))
  result.metadata.waitedMilliseconds += clock.now() - from
  return again
}

async function goingOn(
  members: readonly MemberInBatch[],
  next: (member: MemberInBatch) => Promise<Left | undefined>,
  singly: ShardedWriteMember[],
  result: BatchWriteResult,
): Promise<readonly MemberInBatch[]> {
  const lefts = await Promise.all(members.map(next))
  for (const [index, { member }] of members.entries()) {
    const left = lefts[index]
    if (left === 'singly') singly.push(member)
    else if (left !== undefined) result.leaveOut(member, left.error)
  }
  return members.filter((_member, index) => lefts[index] === undefined)
}

/** Whether the service left the member unprocessed. No two members of a batch have the same key. */
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
  return ({ member, request }: MemberInBatch) => names.has(nameOf(member.table, request))
}
