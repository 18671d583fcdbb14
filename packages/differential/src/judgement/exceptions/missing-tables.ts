import type { Exception } from '../exception.js'
import { texts } from '../predicates.js'

const NO_TABLE = /^Cannot do operations on a non-existent table$/

/** Differences about missing tables. */
export const MISSING_TABLES: readonly Exception[] = [
  {
    name: 'missing-table-text',
    reason: 'DynamoDB Local has another text for a table that does not exist.',
    source:
      'https://github.com/paritysuite/dynamodb-conformance (tests/tier3/error-messages): `Requested resource not found`.',
    applies: texts(/^Requested resource not found(: Table: .* not found)?$/, NO_TABLE),
  },
]
