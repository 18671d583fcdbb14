import { type Clock, SystemClock } from '@isotherm/runtime'
import { IsothermError } from '../../errors/isotherm-error.js'
import { refuseUnknown, requireObject, requireText } from '../../options/check.js'
import { type PatternClient, toSender } from '../sending/pattern-client.js'
import { ensureTable, keyText, MAX_WAIT_SECONDS, stringKeyedTable } from '../sending/table-status.js'
import { defaultChunkTable } from './large-options.js'

export const PARTITION_KEY = 'name'
export const SORT_KEY = 'part'

/** Options of `ensureChunkTable`. */
export interface EnsureChunkTableOptions {
  /** Name of the table whose items are large. */
  readonly table: string
  /** Name of the table with chunks and the journal. Default `<table>_chunks`. */
  readonly chunkTable?: string | undefined
  /** Clock for the wait until the table is active. Default: the system clock. */
  readonly clock?: Clock | undefined
}

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
  const wanted = stringKeyedTable(chunkTable, PARTITION_KEY, SORT_KEY)
  const status = await ensureTable(db, wanted, clock, (found) => {
    if (keyText(found) !== keyText(wanted))
      throw unfit(chunkTable, `has the key ${keyText(found)}, and not ${keyText(wanted)}`)
  })
  if (status !== 'ACTIVE') throw unfit(chunkTable, `is still ${status} after ${MAX_WAIT_SECONDS} seconds`)
  return chunkTable
}

function unfit(chunkTable: string, state: string): IsothermError<'large.chunk-table'> {
  return new IsothermError(
    'large.chunk-table',
    `The chunk table ${chunkTable} ${state}. Look at the table, or name another one with the option chunkTable.`,
    { chunkTable },
  )
}
