import { type Clock, SystemClock } from '@isotherm/runtime'
import { IsothermError } from '../../errors/isotherm-error.js'
import { refuseUnknown, requireObject, requireText } from '../../options/check.js'
import { type PatternClient, toSender } from '../sending/pattern-client.js'
import { ensureTable, keyText, MAX_WAIT_SECONDS, stringKeyedTable } from '../sending/table-status.js'
import { defaultCatalog } from './rotation-options.js'

export const CATALOG_PARTITION_KEY = 'name'
export const CATALOG_SORT_KEY = 'period'

/** Options of `ensureCatalog`. */
export interface EnsureCatalogOptions {
  /** The option `table` of the rotation. */
  readonly table: string
  /** Name of the table that lists the periods. Default `<table>_periods`. Several rotations may share one. */
  readonly catalog?: string | undefined
  /** Clock for the wait until the table is active. Default: the system clock. */
  readonly clock?: Clock | undefined
}

/**
 * Creates the table that lists the periods of a `rotation` if it does not exist, and waits until it is active: an on-demand table with the
 * partition key `name` and the sort key `period`, both strings. Call it when you deploy. Calling it again does nothing.
 *
 * @param client needs `dynamodb:DescribeTable` and `dynamodb:CreateTable`
 * @returns the name of the table
 * @throws IsothermError `options.unknown` or `options.invalid`; the error names the option
 * @throws IsothermError `rotation.catalog` if a table of that name has another key, or is not active after two minutes
 * @example await ensureCatalog(client, { table: 'log' }) // 'log_periods'
 */
export async function ensureCatalog(client: PatternClient, options: EnsureCatalogOptions): Promise<string> {
  const db = toSender('ensureCatalog', client)
  requireObject('ensureCatalog', options, 'an object with a table')
  refuseUnknown('ensureCatalog', options, ['table', 'catalog', 'clock'])
  const table = requireText('ensureCatalog.table', options.table, 'the beginning of table names')
  const catalog = options.catalog ?? defaultCatalog(table)
  const wanted = stringKeyedTable(catalog, CATALOG_PARTITION_KEY, CATALOG_SORT_KEY)
  const status = await ensureTable(db, wanted, options.clock ?? new SystemClock(), (found) => {
    if (keyText(found) !== keyText(wanted))
      throw unfit(catalog, `has the key ${keyText(found)}, and not ${keyText(wanted)}`)
  })
  if (status !== 'ACTIVE') throw unfit(catalog, `is still ${status} after ${MAX_WAIT_SECONDS} seconds`)
  return catalog
}

function unfit(catalog: string, state: string): IsothermError<'rotation.catalog'> {
  return new IsothermError(
    'rotation.catalog',
    `The catalog ${catalog} ${state}. Look at the table, or name another one with the option catalog.`,
    { catalog },
  )
}
