import {
  MAX_GLOBAL_SECONDARY_INDEXES,
  MAX_KEY_NAME_BYTES,
  MAX_PROJECTED_ATTRIBUTES,
  utf8Length,
} from '@isotherm/semantics'
import type {
  BillingMode,
  IndexDefinition,
  IndexProjection,
  KeyAttribute,
  KeySchema,
  TableDefinition,
  Throughput,
} from '../table/table-definition.js'
import { ServiceError, validationException } from '../wire/service-error.js'
import { TABLE_NAME } from './members.js'
import type { Shape } from './shape.js'

/** The members of requests that define tables, as they arrive. */
interface KeySchemaElement {
  readonly AttributeName: string
  readonly KeyType: 'HASH' | 'RANGE'
}
export interface ThroughputInput {
  readonly ReadCapacityUnits: number
  readonly WriteCapacityUnits: number
}
interface IndexInput {
  readonly IndexName: string
  readonly KeySchema: readonly KeySchemaElement[]
  readonly Projection: { readonly ProjectionType?: string; readonly NonKeyAttributes?: readonly string[] }
  readonly ProvisionedThroughput?: ThroughputInput
}
export interface TableInput {
  readonly TableName: string
  readonly AttributeDefinitions: readonly {
    readonly AttributeName: string
    readonly AttributeType: 'S' | 'N' | 'B'
  }[]
  readonly KeySchema: readonly KeySchemaElement[]
  readonly BillingMode?: BillingMode
  readonly ProvisionedThroughput?: ThroughputInput
  readonly GlobalSecondaryIndexes?: readonly IndexInput[]
}

const INVALID = 'One or more parameter values were invalid: '
const KEY_NAME = { type: 'string', length: { min: 1, max: MAX_KEY_NAME_BYTES } } as const satisfies Shape

export const BILLING_MODE = {
  type: 'string',
  oneOf: ['PROVISIONED', 'PAY_PER_REQUEST'],
} as const satisfies Shape

export const THROUGHPUT = {
  type: 'structure',
  members: {
    ReadCapacityUnits: { type: 'integer', required: true, value: { min: 1 } },
    WriteCapacityUnits: { type: 'integer', required: true, value: { min: 1 } },
  },
} as const satisfies Shape

export const ATTRIBUTE_DEFINITIONS = {
  type: 'list',
  of: {
    type: 'structure',
    members: {
      AttributeName: { ...KEY_NAME, required: true },
      AttributeType: { type: 'string', required: true, oneOf: ['B', 'N', 'S'] },
    },
  },
} as const satisfies Shape

export const KEY_SCHEMA = {
  type: 'list',
  length: { min: 1, max: 2 },
  of: {
    type: 'structure',
    members: {
      AttributeName: { ...KEY_NAME, required: true },
      KeyType: { type: 'string', required: true, oneOf: ['HASH', 'RANGE'] },
    },
  },
} as const satisfies Shape

export const INDEXES = {
  type: 'list',
  of: {
    type: 'structure',
    members: {
      IndexName: { ...TABLE_NAME, required: true },
      KeySchema: { ...KEY_SCHEMA, required: true },
      Projection: {
        type: 'structure',
        required: true,
        members: {
          ProjectionType: { type: 'string', oneOf: ['ALL', 'KEYS_ONLY', 'INCLUDE'] },
          NonKeyAttributes: { type: 'list', of: KEY_NAME, length: { min: 1, max: 20 } },
        },
      },
      ProvisionedThroughput: THROUGHPUT,
    },
    unsupported: ['OnDemandThroughput', 'WarmThroughput'],
  },
} as const satisfies Shape

const ON_DEMAND: Throughput = { readUnits: 0, writeUnits: 0 }

/** What a CreateTable request defines. @throws ServiceError */
export function tableDefinition(input: TableInput): TableDefinition {
  const billingMode = input.BillingMode ?? 'PROVISIONED'
  const attributes = input.AttributeDefinitions.map(({ AttributeName, AttributeType }): KeyAttribute => {
    return { name: AttributeName, type: AttributeType }
  })
  const indexInputs = input.GlobalSecondaryIndexes ?? []
  checkAttributesFitKeys(attributes, [input.KeySchema, ...indexInputs.map((index) => index.KeySchema)])
  const indexes = indexDefinitions(indexInputs, attributes, billingMode)
  return {
    name: input.TableName,
    schema: keySchema(input.KeySchema, attributes),
    attributes,
    billingMode,
    throughput: throughputOf(billingMode, input.ProvisionedThroughput),
    indexes,
  }
}

/** Throughput as a request gives it, checked against the billing mode. @throws ServiceError */
export function throughputOf(
  billingMode: BillingMode,
  input: ThroughputInput | undefined,
  index?: string,
): Throughput {
  const whose = index === undefined ? '' : ` for index: ${index}`
  if (billingMode === 'PAY_PER_REQUEST') {
    if (input === undefined) return ON_DEMAND
    throw validationException(
      index === undefined
        ? `${INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`
        : `${INVALID}ProvisionedThroughput should not be specified${whose} when BillingMode is PAY_PER_REQUEST`,
    )
  }
  if (input === undefined) {
    throw validationException(
      index === undefined
        ? `${INVALID}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED`
        : `${INVALID}ProvisionedThroughput must be specified${whose}`,
    )
  }
  return { readUnits: input.ReadCapacityUnits, writeUnits: input.WriteCapacityUnits }
}

/**
 * The account's quota for one table or index, which also bounds how many partitions a request can make.
 * @throws ServiceError
 */
export function checkThroughputQuota(throughputs: Iterable<Throughput>, unitsPerSecond: number): void {
  for (const { readUnits, writeUnits } of throughputs) {
    const wanted = Math.max(readUnits, writeUnits)
    if (wanted <= unitsPerSecond) continue
    throw new ServiceError(
      'LimitExceededException',
      `Subscriber limit exceeded: Provisioned throughput of a table or index is limited to ${unitsPerSecond} units per second. Requested: ${wanted}`,
    )
  }
}

function keySchema(elements: readonly KeySchemaElement[], attributes: readonly KeyAttribute[]): KeySchema {
  const [first, second] = elements
  if (first?.KeyType !== 'HASH') {
    throw validationException('Invalid KeySchema: The first KeySchemaElement is not a HASH key type')
  }
  if (second !== undefined && second.KeyType !== 'RANGE') {
    throw validationException('Invalid KeySchema: The second KeySchemaElement is not a RANGE key type')
  }
  if (second?.AttributeName === first.AttributeName) {
    throw validationException(
      'Both the Hash Key and the Range Key element in the KeySchema have the same name',
    )
  }
  const named = ({ AttributeName }: KeySchemaElement) =>
    attributes.filter(({ name }) => name === AttributeName)
  return { hash: named(first), range: second === undefined ? [] : named(second) }
}

function checkAttributesFitKeys(
  attributes: readonly KeyAttribute[],
  schemas: readonly (readonly KeySchemaElement[])[],
): void {
  const declared = attributes.map(({ name }) => name)
  if (new Set(declared).size < declared.length) {
    throw validationException(
      `${INVALID}Cannot have two attributes with the same name in AttributeDefinitions`,
    )
  }
  const used = [...new Set(schemas.flat().map(({ AttributeName }) => AttributeName))]
  const undeclared = used.filter((name) => !declared.includes(name))
  if (undeclared.length > 0) {
    throw validationException(
      `${INVALID}Some index key attributes are not defined in AttributeDefinitions. Keys: [${undeclared.join(', ')}], AttributeDefinitions: [${declared.join(', ')}]`,
    )
  }
  if (declared.length === used.length) return
  throw validationException(
    schemas.length === 1
      ? `${INVALID}Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions`
      : `${INVALID}Some AttributeDefinitions are not used. AttributeDefinitions: [${declared.join(', ')}], keys used: [${used.join(', ')}]`,
  )
}

function indexDefinitions(
  inputs: readonly IndexInput[],
  attributes: readonly KeyAttribute[],
  billingMode: BillingMode,
): readonly IndexDefinition[] {
  if (inputs.length > MAX_GLOBAL_SECONDARY_INDEXES) {
    throw validationException(
      `${INVALID}GlobalSecondaryIndex count exceeds the per-table limit of ${MAX_GLOBAL_SECONDARY_INDEXES}`,
    )
  }
  const indexes = inputs.map((input): IndexDefinition => {
    return {
      name: input.IndexName,
      schema: keySchema(input.KeySchema, attributes),
      projection: projectionOf(input),
      throughput: throughputOf(billingMode, input.ProvisionedThroughput, input.IndexName),
    }
  })
  for (const [position, { name }] of indexes.entries()) {
    if (indexes.findIndex((each) => each.name === name) !== position) {
      throw validationException(`${INVALID}Duplicate index name: ${name}`)
    }
  }
  checkProjectedCount(indexes)
  return indexes
}

function projectionOf({ Projection: projection }: IndexInput): IndexProjection {
  const attributes = projection.NonKeyAttributes
  switch (projection.ProjectionType) {
    case 'ALL':
    case 'KEYS_ONLY':
      if (attributes === undefined) return { type: projection.ProjectionType }
      throw validationException(
        `${INVALID}ProjectionType is ${projection.ProjectionType}, but NonKeyAttributes is specified`,
      )
    case 'INCLUDE':
      if (attributes !== undefined) return { type: 'INCLUDE', attributes: attributes.map(projectedName) }
      throw validationException(`${INVALID}ProjectionType is INCLUDE, but NonKeyAttributes is not specified`)
    default:
      throw validationException(`${INVALID}Unknown ProjectionType: null`)
  }
}

function projectedName(name: string): string {
  if (utf8Length(name) <= MAX_KEY_NAME_BYTES) return name
  throw validationException(
    `${INVALID}Projected attribute names must be at most ${MAX_KEY_NAME_BYTES} bytes long`,
  )
}

function checkProjectedCount(indexes: readonly IndexDefinition[]): void {
  const count = indexes.reduce(
    (sum, { projection }) => sum + (projection.type === 'INCLUDE' ? projection.attributes.length : 0),
    0,
  )
  if (count <= MAX_PROJECTED_ATTRIBUTES) return
  throw validationException(
    `${INVALID}Number of projected attributes in all indexes exceeds the limit of ${MAX_PROJECTED_ATTRIBUTES}`,
  )
}
