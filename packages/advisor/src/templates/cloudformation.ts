import type { Billing, IndexDefinition, TableDefinition, TablePlace } from '../table/table-definition.js'
import { tableFromRequest } from './create-table.js'
import { Intrinsics } from './intrinsics.js'
import { isPlainObject, listIn, numberIn, objectIn, type Plain, type PlainObject, textIn } from './plain.js'
import { keyType, throughputIn } from './table-members.js'
import type { TemplateDocument } from './template-document.js'

/** The types of SAM's short form of a table. */
const SIMPLE_TYPES: { readonly [type: string]: string } = { String: 'S', Number: 'N', Binary: 'B' }
const SCALABLE = 'AWS::ApplicationAutoScaling::ScalableTarget'

/** The tables of a CloudFormation or SAM template, written by a person or synthesised by CDK. */
export function cloudFormationTables(
  template: PlainObject,
  document: TemplateDocument,
): readonly TableDefinition[] {
  const resources = objectIn(template.Resources)
  const intrinsics = new Intrinsics(template)
  const scaled = autoScaledIn(resources)
  return Object.entries(resources).flatMap(([resource, value]) => {
    if (!isPlainObject(value)) return []
    const properties = objectIn(intrinsics.resolve(value.Properties ?? {}))
    const request = requestOf(textIn(value.Type), properties)
    if (request === undefined) return []
    const lines = document.linesOf(value)
    const place: TablePlace = {
      file: document.file,
      resource,
      // The name of a resource stands on the line before its content, or on the same line.
      ...(lines === undefined ? {} : { firstLine: lines.first, lastLine: lines.last }),
    }
    const name = textIn(properties.TableName) ?? constructOf(value) ?? resource
    const table = tableFromRequest({ ...request, Metadata: value.Metadata ?? null }, name, place)
    return [withScaling(table, scaled.has(resource) || hasScalingSettings(properties), properties)]
  })
}

/** The path of a construct of CDK, which a person knows better than the name of its resource. */
function constructOf(resource: PlainObject): string | undefined {
  return textIn(objectIn(resource.Metadata)['aws:cdk:path'])?.replace(/\/Resource$/, '')
}

/** The same members as CreateTable has, whichever resource describes them. */
function requestOf(type: string | undefined, properties: PlainObject): PlainObject | undefined {
  if (type === 'AWS::DynamoDB::Table') return properties
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

function hasScalingSettings(properties: PlainObject): boolean {
  const { WriteProvisionedThroughputSettings: writes } = properties
  return objectIn(writes).WriteCapacityAutoScalingSettings !== undefined
}

/** The resources that a scaling target refers to. */
function autoScaledIn(resources: PlainObject): ReadonlySet<string> {
  const targets = Object.values(resources).filter((value) => objectIn(value).Type === SCALABLE)
  const names = new Set<string>()
  for (const target of targets) {
    for (const name of referencesIn(objectIn(objectIn(target).Properties).ResourceId ?? null)) names.add(name)
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
