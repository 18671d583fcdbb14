import { TABLE } from '../validation/members.js'
import { controlledTable, defineOperation } from './operation.js'
import { describeTable } from './table-description.js'

export const deleteTable = defineOperation<{ readonly TableName: string }>(
  { type: 'structure', members: { TableName: { ...TABLE, required: true } } },
  async (input, context) => {
    const table = controlledTable(context, input.TableName)
    const TableDescription = describeTable(table, 'DELETING')
    await context.catalog.delete(context.region, table.definition.name)
    return { TableDescription }
  },
)
