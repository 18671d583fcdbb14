import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type TableDescription,
} from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import type { Sender } from './pattern-client.js'

const POLL_MILLISECONDS = 500
/** Two minutes in total. Creating an empty on-demand table takes seconds. */
const MAX_POLLS = 240

/** How long the functions below wait for a table. */
export const MAX_WAIT_SECONDS = (MAX_POLLS * POLL_MILLISECONDS) / 1_000

/** @returns `undefined` if there is no such table */
export async function describeTable(db: Sender, TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await db.send(new DescribeTableCommand({ TableName }))).Table
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined
    throw error
  }
}

/** Sends the request to create a table, which another process may have sent too. */
export async function beginTable(db: Sender, input: CreateTableCommandInput): Promise<void> {
  try {
    await db.send(new CreateTableCommand(input))
  } catch (error) {
    // It exists, or is being created, which has the same result.
    if (!(error instanceof Error && error.name === 'ResourceInUseException')) throw error
  }
}

/**
 * Creates a table if it does not exist, and waits until it is active.
 *
 * @param check throws for a table that is another one
 * @returns the last status, `ACTIVE` unless it took too long
 */
export async function ensureTable(
  db: Sender,
  input: CreateTableCommandInput & { readonly TableName: string },
  clock: Clock,
  check: (description: TableDescription) => void,
): Promise<string> {
  let status = 'missing'
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const description = await describeTable(db, input.TableName)
    if (description === undefined) await beginTable(db, input)
    else check(description)
    status = description?.TableStatus ?? 'missing'
    if (status === 'ACTIVE' || status === 'UPDATING') return 'ACTIVE'
    await clock.sleep(POLL_MILLISECONDS)
  }
  return status
}

/** Waits until a table is gone. @returns whether it is */
export async function untilGone(db: Sender, table: string, clock: Clock): Promise<boolean> {
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    if ((await describeTable(db, table)) === undefined) return true
    await clock.sleep(POLL_MILLISECONDS)
  }
  return false
}

/** A table with two string keys, on demand. */
export function stringKeyedTable(
  TableName: string,
  partitionKey: string,
  sortKey: string,
): CreateTableCommandInput & { readonly TableName: string } {
  return {
    TableName,
    KeySchema: [
      { AttributeName: partitionKey, KeyType: 'HASH' },
      { AttributeName: sortKey, KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: partitionKey, AttributeType: 'S' },
      { AttributeName: sortKey, AttributeType: 'S' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  }
}

/** The key of a table, for messages: `id (S), at (N)`. */
export function keyText({
  KeySchema = [],
  AttributeDefinitions = [],
}: Pick<CreateTableCommandInput, 'KeySchema' | 'AttributeDefinitions'>): string {
  return KeySchema.map(({ AttributeName }) => {
    const found = AttributeDefinitions.find((attribute) => attribute.AttributeName === AttributeName)
    return `${AttributeName} (${found?.AttributeType})`
  }).join(', ')
}
