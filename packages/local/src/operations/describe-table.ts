import { TABLE } from '../validation/members.js'
import { controlledTable, defineOperation } from './operation.js'
import { describeTable as describe } from './table-description.js'

export const describeTable = defineOperation<{ readonly TableName: string }>(
  { type: 'structure', members: { TableName: { ...TABLE, required: true } } },
  (input, context) => ({ Table: describe(controlledTable(context, input.TableName), context.clock.now()) }),
)
