import type { BillingMode } from '../capacity/throughput.js'
import { warmAtStart } from '../capacity/throughput.js'
import { validationException } from '../errors/service-error.js'
import type { TableClass, TableDefinition } from '../table/table-definition.js'
import { type EncryptionInput, encryptionOf } from './encryption-input.js'
import {
  checkIndexesTogether,
  checkNotEmpty,
  type GlobalIndexInput,
  globalIndexDefinition,
  type LocalIndexInput,
  localIndexDefinition,
} from './index-input.js'
import {
  type AttributeDefinitionInput,
  checkAttributesFitKeys,
  type KeySchemaElement,
  keyAttributes,
  keySchema,
} from './key-schema-input.js'
import { newOnDemandMaximum, type OnDemandInput } from './on-demand-input.js'
import type { Shape } from './shape.js'
import {
  OF_NEW_STREAM,
  type StreamSpecificationInput,
  streamViewTypeOf,
} from './stream-specification-input.js'
import {
  newWarmThroughput,
  OF_NEW_TABLE,
  type ThroughputInput,
  throughputOf,
  type WarmInput,
} from './throughput-input.js'

/** The members of a CreateTable request that define a table. */
export interface TableInput {
  readonly TableName: string
  readonly AttributeDefinitions: readonly AttributeDefinitionInput[]
  readonly KeySchema: readonly KeySchemaElement[]
  readonly BillingMode?: BillingMode
  readonly ProvisionedThroughput?: ThroughputInput
  readonly OnDemandThroughput?: OnDemandInput
  readonly WarmThroughput?: WarmInput
  readonly GlobalSecondaryIndexes?: readonly GlobalIndexInput[]
  readonly LocalSecondaryIndexes?: readonly LocalIndexInput[]
  readonly StreamSpecification?: StreamSpecificationInput
  readonly TableClass?: TableClass
  readonly DeletionProtectionEnabled?: boolean
  readonly SSESpecification?: EncryptionInput
}

export const TABLE_CLASS = {
  type: 'string',
  oneOf: ['STANDARD', 'STANDARD_INFREQUENT_ACCESS'],
} as const satisfies Shape

/** The table that a CreateTable request defines. @throws ServiceError */
export function tableDefinition(input: TableInput): TableDefinition {
  const billingMode = input.BillingMode ?? 'PROVISIONED'
  const attributes = keyAttributes(input.AttributeDefinitions)
  const globals = input.GlobalSecondaryIndexes ?? []
  const locals = input.LocalSecondaryIndexes ?? []
  checkNotEmpty(input.GlobalSecondaryIndexes, 'GlobalSecondaryIndexes')
  checkNotEmpty(input.LocalSecondaryIndexes, 'LocalSecondaryIndexes')
  if (attributes.length === 0) {
    throw validationException('Invalid KeySchema: Some index key attribute have no definition')
  }
  checkAttributesFitKeys(
    attributes,
    [input, ...globals, ...locals].map(({ KeySchema }) => KeySchema),
  )
  const schema = keySchema(input.KeySchema, attributes)
  const indexes = [
    ...globals.map((index) => globalIndexDefinition(index, attributes, billingMode)),
    ...locals.map((index) => localIndexDefinition(index, attributes, schema)),
  ]
  checkIndexesTogether(indexes)
  const throughput = throughputOf(billingMode, input.ProvisionedThroughput, OF_NEW_TABLE)
  const onDemandMaximum = newOnDemandMaximum(billingMode, input.OnDemandThroughput)
  const warm = input.WarmThroughput
  const streamViewType = streamViewTypeOf(input.StreamSpecification, OF_NEW_STREAM)
  const encryption = encryptionOf(input.SSESpecification)
  return {
    name: input.TableName,
    schema,
    attributes,
    billingMode,
    throughput,
    ...(onDemandMaximum === undefined ? {} : { onDemandMaximum }),
    ...(warm === undefined
      ? {}
      : { warmThroughput: newWarmThroughput(billingMode, warm, warmAtStart(billingMode, throughput)) }),
    indexes,
    ...(streamViewType === undefined ? {} : { streamViewType }),
    ...(input.TableClass === undefined ? {} : { tableClass: input.TableClass }),
    ...(encryption === undefined ? {} : { encryption }),
    deletionProtection: input.DeletionProtectionEnabled ?? false,
  }
}
