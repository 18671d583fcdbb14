import { CreateTableCommand, DescribeTableCommand, type TableDescription } from '@aws-sdk/client-dynamodb'
import { type Clock, SystemClock } from '@isotherm/runtime'
import { IsothermError } from '../../errors/isotherm-error.js'
import { refuseUnknown, requireObject, requireText } from '../../options/check.js'
import { type PatternClient, type Sender, toSender } from '../sending/pattern-client.js'
import { defaultChunkTable } from './large-options.js'

export const PARTITION_KEY = 'name'
export const SORT_KEY = 'part'

export interface EnsureChunkTableOptions {
  /** Name of the table whose items are large. */
  readonly table: string
  /** Name of the table with chunks and the journal. Default `<table>_chunks`. */
  readonly chunkTable?: string
  /** Clock for the wait until the table is active. Default: the system clock. */
  readonly clock?: Clock
}

const POLL_MILLISECONDS = 500
/** Two minutes in total. Creating an empty on-demand table takes seconds. */
const MAX_POLLS = 240

/**
 * Creates the table with the chunks and the journal of `large` if it does not exist, and waits until it is active: an on-demand table with
 * the partition key `name` and the sort key `part`, both strings. Call it when you deploy. Calling it again does nothing.
 *
 * @param client needs `dynamodb:DescribeTable` and `dynamodb:CreateTable`
 * @returns the name of the table
 * @throws IsothermError `options.unknown` or `options.invalid`; the error names the option
 * @throws IsothermError `large.chunk-table` if a table of that name has another key, or is not active after two minutes
 * @example await ensureChunkTable(client, { table: 'documents' }) // 'documents_chunks'
 */
export async function ensureChunkTable(
  client: PatternClient,
  options: EnsureChunkTableOptions,
): Promise<string> {
  const db = toSender('ensureChunkTable', client)
  requireObject('ensureChunkTable', options, 'an object with a table')
  refuseUnknown('ensureChunkTable', options, ['table', 'chunkTable', 'clock'])
  const table = requireText('ensureChunkTable.table', options.table, 'the name of a table')
  const chunkTable = options.chunkTable ?? defaultChunkTable(table)
  const clock = options.clock ?? new SystemClock()
  let status = 'missing'
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const description = await describe(db, chunkTable)
    if (description === undefined) await create(db, chunkTable)
    else requireKey(chunkTable, description)
    status = description?.TableStatus ?? 'missing'
    if (status === 'ACTIVE' || status === 'UPDATING') return chunkTable
    await clock.sleep(POLL_MILLISECONDS)
  }
  throw unfit(chunkTable, `is still ${status} after ${(MAX_POLLS * POLL_MILLISECONDS) / 1_000} seconds`)
}

async function describe(db: Sender, TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await db.send(new DescribeTableCommand({ TableName }))).Table
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined
    throw error
  }
}

async function create(db: Sender, TableName: string): Promise<void> {
  const command = new CreateTableCommand({
    TableName,
    KeySchema: [
      { AttributeName: PARTITION_KEY, KeyType: 'HASH' },
      { AttributeName: SORT_KEY, KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: PARTITION_KEY, AttributeType: 'S' },
      { AttributeName: SORT_KEY, AttributeType: 'S' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
  try {
    await db.send(command)
  } catch (error) {
    // Another process is creating the same table, which has the same result.
    if (!(error instanceof Error && error.name === 'ResourceInUseException')) throw error
  }
}

function requireKey(chunkTable: string, { KeySchema = [], AttributeDefinitions = [] }: TableDescription) {
  const key = KeySchema.map(({ AttributeName }) => {
    const found = AttributeDefinitions.find((attribute) => attribute.AttributeName === AttributeName)
    return `${AttributeName} (${found?.AttributeType})`
  }).join(', ')
  if (key === `${PARTITION_KEY} (S), ${SORT_KEY} (S)`) return
  throw unfit(chunkTable, `has the key ${key}, and not ${PARTITION_KEY} (S), ${SORT_KEY} (S)`)
}

function unfit(chunkTable: string, state: string): IsothermError<'large.chunk-table'> {
  return new IsothermError(
    'large.chunk-table',
    `The chunk table ${chunkTable} ${state}. Look at the table, or name another one with the option chunkTable.`,
    { chunkTable },
  )
}
