import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import type { Process } from '../world/process.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import type { Attributes } from './item-operations.js'
import type { LogRead } from './key-log.js'
import { idOf, sortValueOf } from './log-ids.js'
import { readLog } from './log-reader.js'

/** What is read of a key: by ids, both included. */
export interface LogRange {
  readonly key: string
  readonly from: number
  readonly to: number
  readonly forward: boolean
  readonly consistent: boolean
  /** Of a page. */
  readonly limit: number | undefined
  readonly staleMilliseconds: number
  readonly maxPages: number
}

/** How a process gets at a log: in one table, or in a table for each period. */
export interface LogAccess {
  /** Puts one item, or several in one batch. @returns the ids of those that were not written */
  append(items: readonly Attributes[]): Promise<ReadonlySet<number>>
  /** Page by page; a page that fails is asked for again. */
  read(range: LogRange): Promise<LogRead>
}

/** A log in one table. */
export function singleTable(
  world: World,
  process: Process,
  db: DynamoDBClient,
  table: WorkloadTable,
): LogAccess {
  return {
    append: (items) => sendAppends(db, table, items, async () => table.name),
    read: (range) =>
      readLog(world, process, db, {
        ...range,
        table,
        keyOf: (id) => sortValueOf(table, id),
        idOf: (item: Record<string, AttributeValue>) => idOf(table, item),
      }),
  }
}

/** @param tableOf the table that an item goes to */
export async function sendAppends(
  db: DynamoDBClient,
  keys: WorkloadTable,
  items: readonly Attributes[],
  tableOf: (item: Attributes) => Promise<string>,
): Promise<ReadonlySet<number>> {
  const [first, ...others] = items
  if (first !== undefined && others.length === 0) {
    await db.send(new PutItemCommand({ TableName: await tableOf(first), Item: first }))
    return new Set()
  }
  const RequestItems: Record<string, WriteRequest[]> = {}
  for (const Item of items) {
    const name = await tableOf(Item)
    RequestItems[name] = [...(RequestItems[name] ?? []), { PutRequest: { Item } }]
  }
  const { UnprocessedItems = {} } = await db.send(new BatchWriteItemCommand({ RequestItems }))
  const left = Object.values(UnprocessedItems).flat()
  return new Set(left.map(({ PutRequest }) => idOf(keys, PutRequest?.Item)))
}
