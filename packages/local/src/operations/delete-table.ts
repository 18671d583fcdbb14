import { resourceInUse, validationException } from '../errors/service-error.js'
import { afterwards } from '../storage/afterwards.js'
import { TABLE } from '../validation/members.js'
import { checkChangesAtOnce } from './changes-at-once.js'
import { controlledTable, defineOperation } from './operation.js'
import { describeDeletion, describeTable } from './table-description.js'

export const deleteTable = defineOperation<{ readonly TableName: string }>(
  { type: 'structure', members: { TableName: { ...TABLE, required: true } } },
  (input, context) => {
    const table = controlledTable(context, input.TableName)
    const { name, deletionProtection } = table.definition
    const now = context.clock.now()
    const response = { TableDescription: describeDeletion(describeTable(table, now, 'DELETING')) }
    // Deleting a table twice is not an error.
    if (table.status === 'DELETING') return response
    if (deletionProtection) {
      throw validationException(
        'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
      )
    }
    if (table.status !== 'ACTIVE') {
      const doing = table.status === 'CREATING' ? 'created' : 'updated'
      throw resourceInUse(`Table is being ${doing}: ${name}`)
    }
    // Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/backuprestore_HowItWorks.html
    if (context.backups.isCopying(table)) throw resourceInUse(`Table is being backed up: ${name}`)
    checkChangesAtOnce(context, false)
    return afterwards(context.lifeCycle.delete(table), () => response)
  },
)
