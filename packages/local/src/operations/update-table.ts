import type { Table } from '../table/table.js'
import type { BillingMode, Throughput } from '../table/table-definition.js'
import { TABLE, TABLE_NAME } from '../validation/members.js'
import {
  BILLING_MODE,
  checkThroughputQuota,
  THROUGHPUT,
  type ThroughputInput,
  throughputOf,
} from '../validation/table-definition-input.js'
import { ServiceError, validationException } from '../wire/service-error.js'
import { controlledTable, defineOperation } from './operation.js'
import { describeTable } from './table-description.js'

interface IndexUpdate {
  readonly Update?: { readonly IndexName: string; readonly ProvisionedThroughput?: ThroughputInput }
}

interface UpdateTableInput {
  readonly TableName: string
  readonly BillingMode?: BillingMode
  readonly ProvisionedThroughput?: ThroughputInput
  readonly GlobalSecondaryIndexUpdates?: readonly IndexUpdate[]
}

export const updateTable = defineOperation<UpdateTableInput>(
  {
    type: 'structure',
    members: {
      TableName: { ...TABLE, required: true },
      BillingMode: BILLING_MODE,
      ProvisionedThroughput: THROUGHPUT,
      GlobalSecondaryIndexUpdates: {
        type: 'list',
        of: {
          type: 'structure',
          members: {
            Update: {
              type: 'structure',
              members: { IndexName: { ...TABLE_NAME, required: true }, ProvisionedThroughput: THROUGHPUT },
              unsupported: ['OnDemandThroughput', 'WarmThroughput'],
            },
          },
          unsupported: ['Create', 'Delete'],
        },
      },
    },
    unsupported: [
      'AttributeDefinitions',
      'StreamSpecification',
      'SSESpecification',
      'ReplicaUpdates',
      'TableClass',
      'DeletionProtectionEnabled',
      'WarmThroughput',
      'OnDemandThroughput',
      'MultiRegionConsistency',
      'GlobalTableWitnessUpdates',
      'GlobalTableSettingsReplicationMode',
      'VectorIndexUpdates',
    ],
  },
  (input, context) => {
    const table = controlledTable(context, input.TableName)
    const billingMode = input.BillingMode ?? table.billingMode
    const updates = input.GlobalSecondaryIndexUpdates ?? []
    if (
      input.BillingMode === undefined &&
      input.ProvisionedThroughput === undefined &&
      updates.length === 0
    ) {
      throw validationException(
        'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required',
      )
    }
    const throughput = wantedThroughput(table, billingMode, input)
    const indexes = wantedIndexThroughput(table, billingMode, updates)
    checkThroughputQuota([throughput, ...indexes.values()], context.tableUnitsPerSecond)
    const description = describeTable(table, 'UPDATING')
    table.changeThroughput(billingMode, throughput, indexes)
    return { TableDescription: description }
  },
)

function wantedThroughput(table: Table, billingMode: BillingMode, input: UpdateTableInput): Throughput {
  const switches = billingMode !== table.billingMode
  if (input.ProvisionedThroughput === undefined && !switches) return table.definition.throughput
  const wanted = throughputOf(billingMode, input.ProvisionedThroughput)
  if (!switches && billingMode === 'PROVISIONED' && sameThroughput(wanted, table.definition.throughput)) {
    throw validationException(
      `The provisioned throughput for the table will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the table: ${wanted.readUnits}. Requested ReadCapacityUnits: ${wanted.readUnits}. Current WriteCapacityUnits provisioned for the table: ${wanted.writeUnits}. Requested WriteCapacityUnits: ${wanted.writeUnits}. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.`,
    )
  }
  return wanted
}

function wantedIndexThroughput(
  table: Table,
  billingMode: BillingMode,
  updates: readonly IndexUpdate[],
): ReadonlyMap<string, Throughput> {
  const given = new Map(
    updates.flatMap(({ Update }) => (Update === undefined ? [] : [[Update.IndexName, Update] as const])),
  )
  for (const name of given.keys()) {
    if (table.indexes.has(name)) continue
    throw new ServiceError(
      'ResourceNotFoundException',
      `Requested resource not found: Index ${name} for table ${table.definition.name}`,
    )
  }
  const wanted = new Map<string, Throughput>()
  for (const { definition } of table.indexes.values()) {
    const update = given.get(definition.name)
    if (update === undefined && billingMode === table.billingMode) continue
    wanted.set(definition.name, throughputOf(billingMode, update?.ProvisionedThroughput, definition.name))
  }
  return wanted
}

function sameThroughput(a: Throughput, b: Throughput): boolean {
  return a.readUnits === b.readUnits && a.writeUnits === b.writeUnits
}
