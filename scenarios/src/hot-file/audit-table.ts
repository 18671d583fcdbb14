import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import { ScenarioError } from '../scenario-error.js'
import { PARTITION_KEY, SORT_KEY } from './audit-item.js'

const POLL_MILLISECONDS = 500
/** Two minutes: creating an empty on-demand table takes seconds. */
const MAX_POLLS = 240

/**
 * Creates an on-demand table for the audit log and waits until it is active. An existing table is left alone: its items
 * would distort the figures, and it can belong to someone else.
 *
 * @param onCreated called as soon as the table is created, though not yet active
 * @throws ScenarioError `table.exists` or `table.not-active`; the SDK's errors otherwise
 */
export async function createAuditTable(
  client: DynamoDBClient,
  table: string,
  clock: Clock,
  onCreated: (table: string) => void,
): Promise<void> {
  const command = new CreateTableCommand({
    TableName: table,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: PARTITION_KEY, KeyType: 'HASH' },
      { AttributeName: SORT_KEY, KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: PARTITION_KEY, AttributeType: 'S' },
      { AttributeName: SORT_KEY, AttributeType: 'S' },
    ],
  })
  try {
    await client.send(command)
  } catch (cause) {
    if (isNamed(cause, 'ResourceInUseException')) throw tableExists(table, cause)
    throw cause
  }
  onCreated(table)
  await waitUntilActive(client, table, clock)
}

/** @throws ScenarioError `table.exists` */
export async function refuseExistingTable(client: DynamoDBClient, table: string): Promise<void> {
  const status = await statusOf(client, table)
  if (status !== undefined) throw tableExists(table)
}

/** Deletes a table if it exists; one that is still being created is deleted as soon as possible. */
export async function removeTable(client: DynamoDBClient, table: string, clock: Clock): Promise<void> {
  for (let poll = 0; ; poll++) {
    try {
      await client.send(new DeleteTableCommand({ TableName: table }))
      return
    } catch (error) {
      if (isNamed(error, 'ResourceNotFoundException')) return
      if (!isNamed(error, 'ResourceInUseException') || poll >= MAX_POLLS) throw error
    }
    await clock.sleep(POLL_MILLISECONDS)
  }
}

async function waitUntilActive(client: DynamoDBClient, table: string, clock: Clock): Promise<void> {
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    if ((await statusOf(client, table)) === 'ACTIVE') return
    await clock.sleep(POLL_MILLISECONDS)
  }
  const seconds = (MAX_POLLS * POLL_MILLISECONDS) / 1_000
  throw new ScenarioError(
    'table.not-active',
    `The table ${table} is not active ${seconds} seconds after it was created; look at it at the endpoint and try again.`,
  )
}

async function statusOf(client: DynamoDBClient, table: string): Promise<string | undefined> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: table }))
    return Table?.TableStatus ?? 'UNKNOWN'
  } catch (error) {
    if (isNamed(error, 'ResourceNotFoundException')) return undefined
    throw error
  }
}

function tableExists(table: string, cause?: unknown): ScenarioError {
  return new ScenarioError(
    'table.exists',
    `The table ${table} exists already; the scenario needs tables of its own, so remove it or choose another table prefix.`,
    { cause },
  )
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name
}
