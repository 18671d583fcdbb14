import { nextPolicy } from '../policy/resource-policy.js'
import { afterwards } from '../storage/afterwards.js'
import { ENCRYPTION } from '../validation/encryption-input.js'
import { GLOBAL_INDEXES, LOCAL_INDEXES } from '../validation/index-input.js'
import { ATTRIBUTE_DEFINITIONS, KEY_SCHEMA } from '../validation/key-schema-input.js'
import { TABLE_NAME } from '../validation/members.js'
import { ON_DEMAND_THROUGHPUT } from '../validation/on-demand-input.js'
import { STREAM_SPECIFICATION } from '../validation/stream-specification-input.js'
import { TABLE_CLASS, type TableInput, tableDefinition } from '../validation/table-definition-input.js'
import { TAGS, type TagInput, withTags } from '../validation/tags-input.js'
import { BILLING_MODE, THROUGHPUT, WARM_THROUGHPUT } from '../validation/throughput-input.js'
import { checkNewTable } from './new-table.js'
import { defineOperation } from './operation.js'
import { describeTable } from './table-description.js'

interface CreateTableInput extends TableInput {
  readonly Tags?: readonly TagInput[]
  readonly ResourcePolicy?: string
}

export const createTable = defineOperation<CreateTableInput>(
  {
    type: 'structure',
    members: {
      TableName: { ...TABLE_NAME, required: true },
      AttributeDefinitions: { ...ATTRIBUTE_DEFINITIONS, required: true },
      KeySchema: { ...KEY_SCHEMA, required: true },
      BillingMode: BILLING_MODE,
      ProvisionedThroughput: THROUGHPUT,
      OnDemandThroughput: ON_DEMAND_THROUGHPUT,
      WarmThroughput: WARM_THROUGHPUT,
      GlobalSecondaryIndexes: GLOBAL_INDEXES,
      LocalSecondaryIndexes: LOCAL_INDEXES,
      StreamSpecification: STREAM_SPECIFICATION,
      TableClass: TABLE_CLASS,
      DeletionProtectionEnabled: { type: 'boolean' },
      SSESpecification: ENCRYPTION,
      Tags: TAGS,
      ResourcePolicy: { type: 'string' },
    },
    arranged: (violations) =>
      violations.some(({ member, isMissing }) => isMissing && member === 'TableName')
        ? "The parameter 'TableName' is required but was not present in the request"
        : violations.map(({ text }) => text),
    unsupported: ['GlobalTableSettingsReplicationMode', 'GlobalTableSourceArn', 'VectorIndexes'],
  },
  (input, context) => {
    const { catalog, lifeCycle, region, clock } = context
    const definition = tableDefinition(input)
    const tags = withTags({}, input.Tags ?? [])
    const policy =
      input.ResourcePolicy === undefined
        ? undefined
        : nextPolicy(undefined, input.ResourcePolicy, clock.now())
    checkNewTable(context, definition)
    const table = lifeCycle.create(region, definition, tags)
    if (policy !== undefined) table.changePolicy(policy)
    const stream = definition.streamViewType === undefined ? [] : [lifeCycle.openStream(table)]
    // Without delays the table is active at once, and the next DescribeTable shows it.
    const response = { TableDescription: describeTable(table, clock.now(), 'CREATING') }
    return afterwards(catalog.save(table, stream), () => response)
  },
)
