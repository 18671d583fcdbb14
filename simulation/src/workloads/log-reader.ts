import { type AttributeValue, type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb'
import type { Process } from '../world/process.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import type { LogRead } from './key-log.js'
import { pageOf } from './page-of.js'

/** How a key is read. */
export interface LogReading {
  readonly table: WorkloadTable
  readonly key: string
  readonly forward: boolean
  readonly consistent: boolean
  readonly limit: number | undefined
  readonly from: number
  readonly to: number
  readonly staleMilliseconds: number
  readonly maxPages: number
  keyOf(id: number): AttributeValue
  idOf(item: Record<string, AttributeValue>): number
}

/** Reads a key page by page, each page with the cursor of the one before; a page that fails is asked for again. */
export async function readLog(
  world: World,
  process: Process,
  db: DynamoDBClient,
  how: LogReading,
): Promise<LogRead> {
  const { table, key, forward, consistent, limit, from, to, staleMilliseconds } = how
  const knowsUntil = consistent ? world.now : world.now - staleMilliseconds
  const ids: number[] = []
  const read = (isWhole: boolean): LogRead => ({ ids, forward, from, to, knowsUntil, isWhole })
  let cursor: Record<string, AttributeValue> | undefined
  for (let pages = 0; pages < how.maxPages; pages++) {
    const input = {
      TableName: table.name,
      KeyConditionExpression: '#key = :key AND #sort BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#key': table.partitionKey, '#sort': table.sortKey },
      ExpressionAttributeValues: { ':key': { S: key }, ':from': how.keyOf(from), ':to': how.keyOf(to) },
      ScanIndexForward: forward,
      ConsistentRead: consistent,
      Limit: limit,
      ExclusiveStartKey: cursor,
    }
    const page = await pageOf(process, () => db.send(new QueryCommand(input)))
    if (page === undefined) return read(false)
    ids.push(...(page.Items ?? []).map((item) => how.idOf(item)))
    cursor = page.LastEvaluatedKey
    if (cursor === undefined) return read(true)
  }
  return read(false)
}
