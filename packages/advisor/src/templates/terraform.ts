import type { Billing, IndexDefinition, KeyAttribute, TableDefinition } from '../table/table-definition.js'
import {
  isPlainObject,
  isTrue,
  listIn,
  numberIn,
  objectIn,
  type Plain,
  type PlainObject,
  textIn,
} from './plain.js'
import { keyType, unitsOf } from './table-members.js'
import type { TemplateDocument } from './template-document.js'

const TABLE = 'aws_dynamodb_table'
const SCALABLE = 'aws_appautoscaling_target'
const scalesWrites = ({ scalable_dimension = null }: PlainObject) =>
  scalable_dimension === null || scalable_dimension === 'dynamodb:table:WriteCapacityUnits'

/** Modules in modules. */
const MAX_DEPTH = 50

/** The tables of `terraform show -json` (a plan, or a state), or of a state file. */
export function terraformTables(root: PlainObject, document: TemplateDocument): readonly TableDefinition[] {
  const values = objectIn(root.planned_values ?? root.values)
  const resources = Array.isArray(root.resources)
    ? root.resources.flatMap((each) => resourcesOfState(objectIn(each)))
    : [...resourcesOf(objectIn(values.root_module), 0)]
  const scaled = new Set(
    resources
      .filter(({ type, values: target }) => type === SCALABLE && scalesWrites(objectIn(target)))
      .map(({ values: target }) => textIn(objectIn(target).resource_id)),
  )
  return resources
    .filter(({ type, mode }) => type === TABLE && mode !== 'data')
    .map((resource) => tableOf(resource, scaled.has(`table/${nameOf(resource)}`), document))
}

/**
 * The tables of a configuration in JSON (`*.tf.json`), as CDK for Terraform writes it. A reference such as
 * `${var.stage}` stays as it is written.
 */
export function configuredTables(root: PlainObject, document: TemplateDocument): readonly TableDefinition[] {
  const resources = objectIn(root.resource)
  const scaled = Object.values(objectIn(resources[SCALABLE]))
    .flatMap(oneOrMore)
    .map(objectIn)
    .filter(scalesWrites)
  return Object.entries(objectIn(resources[TABLE])).flatMap(([name, given]) =>
    oneOrMore(given).map((value) => {
      const values = objectIn(value)
      const address = `${TABLE}.${name}`
      const isScaled = scaled.some(({ resource_id }) => {
        const id = textIn(resource_id) ?? ''
        return id.includes(`${address}.`) || id === `table/${textIn(values.name) ?? name}`
      })
      const lines = document.linesOf(values)
      return tableOf({ address, values }, isScaled, document, lines)
    }),
  )
}

function* resourcesOf(module: PlainObject, depth: number): Generator<PlainObject> {
  if (depth > MAX_DEPTH) return
  for (const resource of listIn(module.resources)) yield objectIn(resource)
  for (const child of listIn(module.child_modules)) yield* resourcesOf(objectIn(child), depth + 1)
}

/** A state file has an instance for each `count` or `for_each`. */
function resourcesOfState(resource: PlainObject): readonly PlainObject[] {
  const address = [resource.module, resource.type, resource.name]
    .flatMap((part) => textIn(part) ?? [])
    .join('.')
  return listIn(resource.instances).map((instance) => ({
    ...resource,
    address,
    values: objectIn(instance).attributes ?? null,
  }))
}

/** A block that may be repeated is an object or a list of them. */
function oneOrMore(value: Plain | undefined): readonly Plain[] {
  return isPlainObject(value) ? [value] : listIn(value)
}

function nameOf({ values, address }: PlainObject): string {
  return textIn(objectIn(values).name) ?? textIn(address) ?? 'table'
}

function tableOf(
  resource: PlainObject,
  isAutoScaled: boolean,
  document: TemplateDocument,
  lines = document.linesOf(resource),
): TableDefinition {
  const values = objectIn(resource.values)
  const address = textIn(resource.address)
  const declared = oneOrMore(values.attribute).flatMap((given): readonly KeyAttribute[] => {
    const { name: attribute, type } = objectIn(given)
    const known = keyType(textIn(type))
    return [{ name: textIn(attribute) ?? '', ...(known === undefined ? {} : { type: known }) }]
  })
  const [timeToLive] = oneOrMore(values.ttl).map(objectIn)
  const attribute =
    timeToLive !== undefined && isTrue(timeToLive.enabled) ? textIn(timeToLive.attribute_name) : ''
  return {
    name: nameOf(resource),
    place: {
      file: document.file,
      ...(address === undefined ? {} : { resource: address }),
      ...(lines === undefined ? {} : { firstLine: lines.first, lastLine: lines.last }),
    },
    key: keyOf(values, declared),
    indexes: [
      // A local index has the partition key of its table.
      ...oneOrMore(values.local_secondary_index).map((index) =>
        indexOf('local', { ...objectIn(index), hash_key: values.hash_key ?? null }, declared),
      ),
      ...oneOrMore(values.global_secondary_index).map((index) =>
        indexOf('global', objectIn(index), declared),
      ),
    ],
    vectorIndexes: [],
    billing: billingOf(values, isAutoScaled),
    declared,
    hasComputedKeys: false,
    ...(attribute === undefined || attribute === '' ? {} : { timeToLive: attribute }),
    hasStream: isTrue(values.stream_enabled),
    ignoredRules: [],
  }
}

/** Newer versions of the provider have blocks `key_schema`, for indexes with several attributes. */
function keyOf(values: PlainObject, declared: readonly KeyAttribute[]): TableDefinition['key'] {
  const known = (name: string) => declared.find((attribute) => attribute.name === name) ?? { name }
  const listed = (kind: string) =>
    oneOrMore(values.key_schema).flatMap((given) => {
      const { attribute_name, key_type } = objectIn(given)
      return key_type === kind ? [known(textIn(attribute_name) ?? '')] : []
    })
  const named = (value: Plain | undefined) => {
    const name = textIn(value)
    return name === undefined || name === '' ? [] : [known(name)]
  }
  const [partition, sort] = [listed('HASH'), listed('RANGE')]
  return partition.length > 0
    ? { partition, sort }
    : { partition: named(values.hash_key), sort: named(values.range_key) }
}

function indexOf(
  kind: IndexDefinition['kind'],
  values: PlainObject,
  declared: readonly KeyAttribute[],
): IndexDefinition {
  const type = textIn(values.projection_type)
  const attributes = listIn(values.non_key_attributes).flatMap((name) => textIn(name) ?? [])
  const throughput = unitsOf(numberIn(values.read_capacity), numberIn(values.write_capacity))
  return {
    name: textIn(values.name) ?? 'index',
    kind,
    key: keyOf(values, declared),
    projection: type === 'KEYS_ONLY' ? { type } : type === 'INCLUDE' ? { type, attributes } : { type: 'ALL' },
    ...(Object.keys(throughput).length === 0 ? {} : { throughput }),
  }
}

function billingOf(values: PlainObject, isAutoScaled: boolean): Billing {
  if (values.billing_mode === 'PAY_PER_REQUEST') {
    const [limits] = oneOrMore(values.on_demand_throughput).map(objectIn)
    const maximum = unitsOf(
      numberIn(limits?.max_read_request_units),
      numberIn(limits?.max_write_request_units),
    )
    return { mode: 'PAY_PER_REQUEST', ...(Object.keys(maximum).length === 0 ? {} : { maximum }) }
  }
  const throughput = unitsOf(numberIn(values.read_capacity), numberIn(values.write_capacity))
  return { mode: 'PROVISIONED', throughput, isAutoScaled }
}
