import { TABLE_NAME } from '../validation/members.js'
import { defineOperation } from './operation.js'

const MAX_NAMES = 100

interface ListTablesInput {
  readonly ExclusiveStartTableName?: string
  readonly Limit?: number
}

export const listTables = defineOperation<ListTablesInput>(
  {
    type: 'structure',
    members: {
      ExclusiveStartTableName: TABLE_NAME,
      Limit: { type: 'integer', value: { min: 1, max: MAX_NAMES } },
    },
  },
  ({ ExclusiveStartTableName: start = '', Limit: limit = MAX_NAMES }, { catalog, region }) => {
    const names = catalog.names(region).filter((name) => name > start)
    const page = names.slice(0, limit)
    return { TableNames: page, ...(names.length > limit ? { LastEvaluatedTableName: page.at(-1) } : {}) }
  },
)
