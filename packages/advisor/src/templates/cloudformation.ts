import type { Billing, IndexDefinition, TableDefinition, TablePlace } from '../table/table-definition.js'
import { AMPLIFY_TABLE, amplifyTable } from './amplify-table.js'
import { hasComputedKeys } from './computed-keys.js'
import { tableFromRequest } from './create-table.js'
import { type NamedResource, resourcesIn } from './for-each.js'
import { Intrinsics } from './intrinsics.js'
import { isPlainObject, listIn, numberIn, objectIn, type Plain, type PlainObject, textIn } from './plain.js'
import { keyType, throughputIn } from './table-members.js'
import type { TemplateDocument } from './template-document.js'

/** The types of SAM's short form of a table. */
const SIMPLE_TYPES: { readonly [type: string]: string } = { String: 'S', Number: 'N', Binary: 'B' }
const SCALABLE = 'AWS::ApplicationAutoScaling::ScalableTarget'
const WRITES_OF_TABLE = 'dynamodb:table:WriteCapacityUnits'

const TABLE_TYPES: ReadonlySet<string> = new Set([
  'AWS::DynamoDB::Table',
  'AWS::DynamoDB::GlobalTable',
  'AWS::Serverless::SimpleTable',
  AMPLIFY_TABLE,
])

/** The tables of a CloudFormation or SAM template, written by a person or synthesised by CDK. */
export function cloudFormationTables(
  template: PlainObject,
  document: TemplateDocument,
): readonly TableDefinition[] {
  const intrinsics = new Intrinsics(template)
  const resources = resourcesIn(objectIn(template.Resources), intrinsics)
  const scaled = autoScaledIn(resources, intrinsics)
  return resources.flatMap(({ name: resource, value, written }) => {
    const type = textIn(value.Type)
    const given = type === AMPLIFY_TABLE ? amplifyTable(objectIn(value.Properties)) : (value.Properties ?? {})
    const properties = objectIn(intrinsics.resolve(given))
    const request = requestOf(type, properties)
    if (request === undefined) return []
    const lines = document.linesOf(written)
    const place: TablePlace = {
      file: document.file,
      resource,
      ...(lines === undefined ? {} : { firstLine: lines.first, lastLine: lines.last }),
    }
    const name = textIn(properties.TableName) ?? constructOf(value) ?? resource
    const metadata = { ...request, Metadata: value.Metadata ?? null }
    const table = tableFromRequest(metadata, name, place, hasComputedKeys(given, properties, intrinsics))
    const isScaled = scaled.has(resource) || scaled.has(`table/${name}`) || hasScalingSettings(properties)
    return [withScaling(table, isScaled, properties)]
  })
}

/** Whether an object is a resource that this reads, such as a file that the Serverless Framework includes. */
export function isTableResource(value: Plain): boolean {
  return isPlainObject(value) && isPlainObject(value.Properties) && TABLE_TYPES.has(textIn(value.Type) ?? '')
}

/** The path of a construct of CDK, which a person knows better than the name of its resource. */
function constructOf(resource: PlainObject): string | undefined {
  return textIn(objectIn(resource.Metadata)['aws:cdk:path'])?.replace(/\/Resource$/, '')
}

/** The same members as CreateTable has, whichever resource describes them. */
function requestOf(type: string | undefined, properties: PlainObject): PlainObject | undefined {
  if (type === 'AWS::DynamoDB::Table' || type === AMPLIFY_TABLE) return properties
  // A replica of a table of another stack has its keys there.
  if (properties.GlobalTableSourceArn !== undefined) return undefined
  if (type === 'AWS::DynamoDB::GlobalTable') return globalTable(properties)
  if (type === 'AWS::Serverless::SimpleTable') return simpleTable(properties)
  return undefined
}

/** https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-resource-simpletable.html */
function simpleTable(properties: PlainObject): PlainObject {
  const { Name = 'id', Type = 'String' } = objectIn(properties.PrimaryKey)
  const type = SIMPLE_TYPES[textIn(Type) ?? ''] ?? keyType(textIn(Type)) ?? 'S'
  return {
    AttributeDefinitions: [{ AttributeName: Name, AttributeType: type }],
    KeySchema: [{ AttributeName: Name, KeyType: 'HASH' }],
    ...(properties.ProvisionedThroughput === undefined
      ? { BillingMode: 'PAY_PER_REQUEST' }
      : { ProvisionedThroughput: properties.ProvisionedThroughput }),
  }
}

/** A global table gives write capacity for all replicas, and read capacity for each. */
function globalTable(properties: PlainObject): PlainObject {
  const [replica] = listIn(properties.Replicas)
  const first = objectIn(replica)
  return {
    ...properties,
    ...replicaThroughput(properties, objectIn(first.ReadProvisionedThroughputSettings)),
    ...replicaMaximum(properties, objectIn(first.ReadOnDemandThroughputSettings)),
    GlobalSecondaryIndexes: listIn(properties.GlobalSecondaryIndexes).map((given) => {
      const index = objectIn(given)
      return { ...index, ...replicaThroughput(index, {}) }
    }),
  }
}

function replicaThroughput(owner: PlainObject, reads: PlainObject): PlainObject {
  const write = numberIn(objectIn(owner.WriteProvisionedThroughputSettings).WriteCapacityUnits)
  const read = numberIn(reads.ReadCapacityUnits)
  if (write === undefined && read === undefined) return {}
  return {
    ProvisionedThroughput: {
      ...(read === undefined ? {} : { ReadCapacityUnits: read }),
      ...(write === undefined ? {} : { WriteCapacityUnits: write }),
    },
  }
}

function replicaMaximum(owner: PlainObject, reads: PlainObject): PlainObject {
  const { MaxWriteRequestUnits } = objectIn(owner.WriteOnDemandThroughputSettings)
  const { MaxReadRequestUnits } = reads
  if (MaxWriteRequestUnits === undefined && MaxReadRequestUnits === undefined) return {}
  return {
    OnDemandThroughput: {
      ...(MaxReadRequestUnits === undefined ? {} : { MaxReadRequestUnits }),
      ...(MaxWriteRequestUnits === undefined ? {} : { MaxWriteRequestUnits }),
    },
  }
}

function hasScalingSettings(properties: PlainObject): boolean {
  const { WriteProvisionedThroughputSettings: writes } = properties
  return objectIn(writes).WriteCapacityAutoScalingSettings !== undefined
}

/**
 * The tables whose writes a target scales, by the names of their resources or as `table/` and their own name. Targets of
 * reads and of indexes leave the writes of the table as they are.
 */
function autoScaledIn(resources: readonly NamedResource[], intrinsics: Intrinsics): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { value } of resources) {
    const { ResourceId = null, ScalableDimension } = objectIn(value.Properties)
    const dimension = textIn(ScalableDimension)
    if (value.Type !== SCALABLE || (dimension !== undefined && dimension !== WRITES_OF_TABLE)) continue
    for (const name of referencesIn(ResourceId)) names.add(name)
    const id = textIn(intrinsics.resolve(ResourceId))
    if (id !== undefined) names.add(id)
  }
  return names
}

function* referencesIn(value: Plain): Generator<string> {
  if (typeof value === 'string') for (const [, name = ''] of value.matchAll(/\$\{([\w:]+)\}/g)) yield name
  else if (Array.isArray(value)) for (const each of value) yield* referencesIn(each)
  else if (isPlainObject(value)) {
    const reference = textIn(value.Ref)
    if (reference !== undefined) yield reference
    for (const each of Object.values(value)) yield* referencesIn(each)
  }
}

function withScaling(
  table: TableDefinition,
  isAutoScaled: boolean,
  properties: PlainObject,
): TableDefinition {
  const { billing } = table
  if (billing.mode === 'PAY_PER_REQUEST') return table
  const indexes: readonly IndexDefinition[] = table.indexes
  const throughput = throughputIn(properties.ProvisionedThroughput) ?? billing.throughput
  const scaled: Billing = { mode: 'PROVISIONED', throughput, isAutoScaled }
  return { ...table, indexes, billing: scaled }
}
