import {
  type DynamoDBClient,
  GetItemCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import { isCancelledByCondition, requireExpected } from './expected-error.js'
import type { Attributes } from './item-operations.js'
import { TOTAL, textOf } from './job-check.js'
import { untilAnswered } from './until-answered.js'

/** A job that a worker has claimed. */
export interface ClaimedJob {
  readonly key: Attributes
  readonly tenant: string
  readonly job: string
  /** Of the item since then, and no other claim's. */
  readonly version: string
}

/** The key of the index, which only a job has that is not done. */
export const PENDING = 'yes'

export const LEASE_MILLISECONDS = 3_000

/**
 * Takes a job for the time of a lease, where nobody has it. Leases are by calendars, which are wrong: they keep workers from
 * doing the same for nothing, and the version keeps them from doing it twice.
 *
 * @returns `undefined` for one that somebody else has, or may have
 */
export async function claimJob(
  process: Process,
  db: DynamoDBClient,
  { jobs, found: { tenant, job } }: { readonly jobs: string; readonly found: Attributes },
): Promise<ClaimedJob | undefined> {
  const now = process.clock.now()
  const version = `${process.name}-${Math.floor(process.random.next() * 2 ** 40)}`
  const key = { tenant, job } as Attributes
  try {
    await db.send(
      new UpdateItemCommand({
        TableName: jobs,
        Key: key,
        UpdateExpression: 'SET version = :version, leased_until = :until',
        ConditionExpression: 'pending = :yes AND (attribute_not_exists(leased_until) OR leased_until < :now)',
        ExpressionAttributeValues: {
          ':version': { S: version },
          ':yes': { S: PENDING },
          ':now': { N: String(Math.floor(now)) },
          ':until': { N: String(Math.floor(now + LEASE_MILLISECONDS)) },
        },
      }),
    )
  } catch (error) {
    requireExpected(error)
    return undefined
  }
  return { key, tenant: textOf(tenant), job: textOf(job), version }
}

/** The work and the mark that it is done, both or neither; sent until it is known that one of them is there. */
export async function finishJob(
  process: Process,
  db: DynamoDBClient,
  given: { readonly jobs: string; readonly ledger: string; readonly claimed: ClaimedJob },
): Promise<void> {
  const { jobs, ledger, claimed } = given
  const { key, tenant, job, version } = claimed
  const done: TransactWriteItem = {
    Update: {
      TableName: jobs,
      Key: key,
      UpdateExpression: 'REMOVE pending, leased_until SET done_by = :name',
      ConditionExpression: 'version = :version AND attribute_exists(pending)',
      ExpressionAttributeValues: { ':version': { S: version }, ':name': { S: process.name } },
    },
  }
  const TransactItems = [done, entryUpdate(ledger, tenant, job), entryUpdate(ledger, tenant, TOTAL)]
  await untilAnswered(process, async () => {
    try {
      await db.send(new TransactWriteItemsCommand({ TransactItems }))
    } catch (error) {
      if (!isCancelledByCondition(error)) throw error
      // Done by an attempt before this one, or in other hands.
      const read = { TableName: jobs, Key: key, ConsistentRead: true }
      const { Item } = await untilAnswered(process, () => db.send(new GetItemCommand(read)))
      if (Item !== undefined && (Item.pending === undefined || textOf(Item.version) !== version)) return
      const seen = `${tenant} ${job} is pending under ${version}, and that was refused to ${process.name}`
      throw new Violation('a condition that holds is not refused', seen, [tenant, job])
    }
  })
}

/** What the work does: it counts, so that doing it twice shows. */
export function entryUpdate(ledger: string, tenant: string, entry: string): TransactWriteItem {
  return {
    Update: {
      TableName: ledger,
      Key: { tenant: { S: tenant }, entry: { S: entry } },
      UpdateExpression: 'ADD applied :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    },
  }
}
