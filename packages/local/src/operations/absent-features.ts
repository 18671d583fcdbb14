import { TABLE } from '../validation/members.js'
import { controlledTable, defineOperation } from './operation.js'

/**
 * Features that the engine does not have, whose state templates and consoles ask for. They are empty or disabled, which
 * is the truth. Operations that would create or change something are UnknownOperationExceptions.
 *
 * Continuous backups are enabled for every table of the service. What can be turned on, and restores tables, is
 * point-in-time recovery.
 */

const OF_A_TABLE = { type: 'structure', members: { TableName: { ...TABLE, required: true } } } as const

export const describeContinuousBackups = defineOperation<{ readonly TableName: string }>(
  OF_A_TABLE,
  (input, context) => {
    controlledTable(context, input.TableName)
    return {
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: 'ENABLED',
        PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'DISABLED' },
      },
    }
  },
)

export const describeKinesisStreamingDestination = defineOperation<{ readonly TableName: string }>(
  OF_A_TABLE,
  (input, context) => ({
    TableName: controlledTable(context, input.TableName).name,
    KinesisDataStreamDestinations: [],
  }),
)

const TEXT = { type: 'string' } as const
const COUNT = { type: 'integer', value: { min: 1 } } as const
export const listGlobalTables = defineOperation(
  {
    type: 'structure',
    members: { ExclusiveStartGlobalTableName: TEXT, Limit: COUNT, RegionName: TEXT },
  },
  () => ({ GlobalTables: [] }),
)
