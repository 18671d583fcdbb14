import { TABLE_NAME } from '../validation/members.js'
import {
  ATTRIBUTE_DEFINITIONS,
  BILLING_MODE,
  checkThroughputQuota,
  INDEXES,
  KEY_SCHEMA,
  type TableInput,
  THROUGHPUT,
  tableDefinition,
} from '../validation/table-definition-input.js'
import { ServiceError } from '../wire/service-error.js'
import { defineOperation } from './operation.js'
import { describeTable } from './table-description.js'

export const createTable = defineOperation<TableInput>(
  {
    type: 'structure',
    members: {
      TableName: { ...TABLE_NAME, required: true },
      AttributeDefinitions: { ...ATTRIBUTE_DEFINITIONS, required: true },
      KeySchema: { ...KEY_SCHEMA, required: true },
      BillingMode: BILLING_MODE,
      ProvisionedThroughput: THROUGHPUT,
      GlobalSecondaryIndexes: INDEXES,
    },
    unsupported: [
      'LocalSecondaryIndexes',
      'StreamSpecification',
      'SSESpecification',
      'Tags',
      'TableClass',
      'DeletionProtectionEnabled',
      'WarmThroughput',
      'ResourcePolicy',
      'OnDemandThroughput',
      'GlobalTableSettingsReplicationMode',
      'VectorIndexes',
    ],
  },
  (input, { catalog, region, tableUnitsPerSecond }) => {
    const definition = tableDefinition(input)
    checkThroughputQuota(
      [definition, ...definition.indexes].map(({ throughput }) => throughput),
      tableUnitsPerSecond,
    )
    if (catalog.get(region, definition.name) !== undefined) {
      throw new ServiceError('ResourceInUseException', `Table already exists: ${definition.name}`)
    }
    // The table is there at once, and says so from the next DescribeTable on; the service answers CREATING here.
    return { TableDescription: describeTable(catalog.create(region, definition), 'CREATING') }
  },
)
