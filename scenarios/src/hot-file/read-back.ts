import {
  type DynamoDBClient,
  paginateQuery,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb'
import { PARTITION_KEY, SORT_KEY } from './audit-item.js'
import { TrailCheck, type TrailVerdict } from './trail-check.js'

/** A trail that was read back, and the cost of reading it. */
export interface ReadBack extends TrailVerdict {
  /** Read units of one page of `PAGE_ITEMS`, read consistently. */
  readonly pageReadUnits: number
  /** Read units of the whole trail in pages of 1 MB, read consistently. */
  readonly trailReadUnits: number
}

/** The items that a person looks at together. */
export const PAGE_ITEMS = 100

/**
 * Reads one file's first page, then its whole trail, with stock commands, and compares it with the acknowledged writes.
 * Reads are consistent: once a write is acknowledged, its item must be there.
 *
 * @param acknowledged sort keys of the file's acknowledged writes
 */
export async function readBack(
  db: DynamoDBClient,
  table: string,
  path: string,
  acknowledged: readonly string[],
): Promise<ReadBack> {
  const query: QueryCommandInput = {
    TableName: table,
    KeyConditionExpression: '#file = :path',
    ExpressionAttributeNames: { '#file': PARTITION_KEY },
    ExpressionAttributeValues: { ':path': { S: path } },
    ConsistentRead: true,
    ReturnConsumedCapacity: 'TOTAL',
  }
  const page = await db.send(new QueryCommand({ ...query, Limit: PAGE_ITEMS }))
  const check = new TrailCheck(acknowledged)
  let trailReadUnits = 0
  for await (const { Items = [], ConsumedCapacity } of paginateQuery({ client: db }, query)) {
    trailReadUnits += ConsumedCapacity?.CapacityUnits ?? 0
    for (const item of Items) check.read(item[SORT_KEY]?.S ?? '')
  }
  return { ...check.verdict(), pageReadUnits: page.ConsumedCapacity?.CapacityUnits ?? 0, trailReadUnits }
}
