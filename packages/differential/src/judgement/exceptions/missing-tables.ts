import type { Exception } from '../exception.js'
import { texts } from '../predicates.js'

const NO_TABLE = /^Cannot do operations on a non-existent table$/

/** Differences about tables that are not there. */
export const MISSING_TABLES: readonly Exception[] = [
  {
    name: 'missing-table-text',
    reason: 'DynamoDB Local has a text of its own for a table that does not exist.',
    source: 'Fact sheet 2.3: `Requested resource not found`, measured against the service.',
    applies: texts(/^Requested resource not found(: Table: .* not found)?$/, NO_TABLE),
  },
]
