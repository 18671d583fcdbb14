import {
  MAX_GLOBAL_SECONDARY_INDEXES,
  MAX_KEY_NAME_BYTES,
  MAX_LOCAL_SECONDARY_INDEXES,
  MAX_PROJECTED_ATTRIBUTES,
  utf8Length,
} from '@isotherm/semantics'
import type { BillingMode } from '../capacity/throughput.js'
import { warmAtStart } from '../capacity/throughput.js'
import { invalidParameters, ServiceError } from '../errors/service-error.js'
import type { IndexDefinition, IndexProjection, KeyAttribute, KeySchema } from '../table/table-definition.js'
import { firstRepeated } from './first-repeated.js'
import {
  GLOBAL_KEY_SCHEMA,
  globalKeySchema,
  KEY_NAME,
  KEY_SCHEMA,
  type KeySchemaElement,
  keySchema,
} from './key-schema-input.js'
import { TABLE_NAME } from './members.js'
import { newOnDemandMaximum, ON_DEMAND_THROUGHPUT, type OnDemandInput } from './on-demand-input.js'
import type { Shape } from './shape.js'
import {
  newWarmThroughput,
  ofNewIndex,
  THROUGHPUT,
  type ThroughputInput,
  throughputOf,
  WARM_THROUGHPUT,
  type WarmInput,
} from './throughput-input.js'

/** Indexes in the form of requests. */
export interface LocalIndexInput {
  readonly IndexName: string
  readonly KeySchema: readonly KeySchemaElement[]
  readonly Projection: { readonly ProjectionType?: string; readonly NonKeyAttributes?: readonly string[] }
}
export interface GlobalIndexInput extends LocalIndexInput {
  readonly ProvisionedThroughput?: ThroughputInput
  readonly OnDemandThroughput?: OnDemandInput
  readonly WarmThroughput?: WarmInput
}

const NO_THROUGHPUT = { readUnits: 0, writeUnits: 0 }

const PROJECTION = {
  type: 'structure',
  required: true,
  members: {
    ProjectionType: { type: 'string', oneOf: ['ALL', 'KEYS_ONLY', 'INCLUDE'] },
    NonKeyAttributes: { type: 'list', of: KEY_NAME, length: { min: 1, max: 20 } },
  },
} as const satisfies Shape & { readonly required: true }

export const LOCAL_INDEXES = {
  type: 'list',
  of: {
    type: 'structure',
    members: {
      IndexName: { ...TABLE_NAME, required: true },
      KeySchema: { ...KEY_SCHEMA, required: true },
      Projection: PROJECTION,
    },
  },
} as const satisfies Shape

export const GLOBAL_INDEX = {
  type: 'structure',
  members: {
    IndexName: { ...TABLE_NAME, required: true },
    KeySchema: { ...GLOBAL_KEY_SCHEMA, required: true },
    Projection: PROJECTION,
    ProvisionedThroughput: THROUGHPUT,
    OnDemandThroughput: ON_DEMAND_THROUGHPUT,
    WarmThroughput: WARM_THROUGHPUT,
  },
} as const satisfies Shape

export const GLOBAL_INDEXES = { type: 'list', of: GLOBAL_INDEX } as const satisfies Shape

/** @param texts how a wrong throughput is refused. @throws ServiceError */
export function globalIndexDefinition(
  input: GlobalIndexInput,
  attributes: readonly KeyAttribute[],
  billingMode: BillingMode,
  texts = ofNewIndex,
): IndexDefinition {
  const { IndexName: name } = input
  const throughput = throughputOf(billingMode, input.ProvisionedThroughput, texts(name))
  const onDemandMaximum = newOnDemandMaximum(billingMode, input.OnDemandThroughput, name)
  const warm = input.WarmThroughput
  return {
    kind: 'global',
    name,
    schema: globalKeySchema(input.KeySchema, attributes),
    projection: projectionOf(input),
    throughput,
    ...(onDemandMaximum === undefined ? {} : { onDemandMaximum }),
    ...(warm === undefined
      ? {}
      : { warmThroughput: newWarmThroughput(billingMode, warm, warmAtStart(billingMode, throughput), name) }),
  }
}

/** @throws ServiceError */
export function localIndexDefinition(
  input: LocalIndexInput,
  attributes: readonly KeyAttribute[],
  table: KeySchema,
): IndexDefinition {
  const { IndexName: name } = input
  const schema = keySchema(input.KeySchema, attributes)
  if (table.range.length === 0) {
    throw invalidParameters(
      'Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex',
    )
  }
  if (schema.range.length === 0) {
    throw invalidParameters(`Index KeySchema does not have a range key for index: ${name}`)
  }
  const [own, base] = [schema.hash[0]?.name, table.hash[0]?.name]
  if (own !== base) {
    throw invalidParameters(
      `Index KeySchema does not have the same leading hash key as table KeySchema for index: ${name}. index hash key: ${own}, table hash key: ${base}`,
    )
  }
  return { kind: 'local', name, schema, projection: projectionOf(input), throughput: NO_THROUGHPUT }
}

/** Checks that all indexes of a table are valid together. @throws ServiceError */
export function checkIndexesTogether(indexes: readonly IndexDefinition[]): void {
  const local = indexes.filter(({ kind }) => kind === 'local').length
  if (local > MAX_LOCAL_SECONDARY_INDEXES) {
    throw invalidParameters(
      `Number of LocalSecondaryIndexes exceeds per-table limit of ${MAX_LOCAL_SECONDARY_INDEXES}`,
    )
  }
  if (indexes.length - local > MAX_GLOBAL_SECONDARY_INDEXES) {
    throw invalidParameters(
      `GlobalSecondaryIndex count exceeds the per-table limit of ${MAX_GLOBAL_SECONDARY_INDEXES}`,
    )
  }
  for (const [position, { name }] of indexes.entries()) {
    if (indexes.findIndex((each) => each.name === name) !== position) {
      throw invalidParameters(`Duplicate index name: ${name}`)
    }
  }
  const projected = indexes.reduce(
    (sum, { projection }) => sum + (projection.type === 'INCLUDE' ? projection.attributes.length : 0),
    0,
  )
  if (projected > MAX_PROJECTED_ATTRIBUTES) {
    throw invalidParameters(
      `Number of projected attributes in all indexes exceeds the limit of ${MAX_PROJECTED_ATTRIBUTES}`,
    )
  }
}

/** Checks that a list of indexes is either missing or not empty. @throws ServiceError */
export function checkNotEmpty(list: readonly unknown[] | undefined, name: string): void {
  if (list?.length === 0) throw invalidParameters(`List of ${name} is empty`)
}

/** The error for a request that creates or deletes several indexes. The service allows one at a time. */
export function oneIndexAtATime(): ServiceError {
  return new ServiceError(
    'LimitExceededException',
    'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
  )
}

function projectionOf({ Projection: projection }: LocalIndexInput): IndexProjection {
  const attributes = projection.NonKeyAttributes
  switch (projection.ProjectionType) {
    case 'ALL':
    case 'KEYS_ONLY':
      if (attributes === undefined) return { type: projection.ProjectionType }
      throw invalidParameters(
        `ProjectionType is ${projection.ProjectionType}, but NonKeyAttributes is specified`,
      )
    case 'INCLUDE':
      if (attributes !== undefined) return { type: 'INCLUDE', attributes: projectedNames(attributes) }
      throw invalidParameters('ProjectionType is INCLUDE, but NonKeyAttributes is not specified')
    default:
      throw invalidParameters('Unknown ProjectionType: null')
  }
}

function projectedNames(names: readonly string[]): readonly string[] {
  const twice = firstRepeated(names)
  if (twice !== undefined) throw invalidParameters(`Duplicate element in NonKeyAttributes: ${twice}`)
  return names.map(projectedName)
}

function projectedName(name: string): string {
  if (utf8Length(name) <= MAX_KEY_NAME_BYTES) return name
  throw invalidParameters(`Projected attribute names must be at most ${MAX_KEY_NAME_BYTES} bytes long`)
}
