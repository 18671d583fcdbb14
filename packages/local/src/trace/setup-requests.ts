import { larger, type Throughput, warmAtStart } from '../capacity/throughput.js'
import { describeOnDemandMaximum } from '../operations/table-description.js'
import type { Table } from '../table/table.js'
import type { IndexDefinition, IndexProjection, KeySchema } from '../table/table-definition.js'
import type { SetupRequest } from './trace-format.js'

/** The requests that create an empty table with the same definition. */
export function setupRequests({ region, definition, state, indexes }: Table): readonly SetupRequest[] {
  const { name, streamViewType, tableClass, billingMode } = definition
  const isProvisioned = billingMode === 'PROVISIONED'
  const capacityOf = (of: CapacityOf) => ({
    ...(isProvisioned
      ? { ProvisionedThroughput: throughput(of.throughput) }
      : describeOnDemandMaximum(of.onDemandMaximum)),
    // A table that was given more throughput since is warmer than was asked for.
    ...warmThroughput(
      of.warmThroughput && larger(of.warmThroughput, warmAtStart(billingMode, of.throughput)),
    ),
  })
  // The attributes of an index that is being deleted are no longer defined.
  const present = definition.indexes.filter(
    (index) => indexes.get(index.name)?.state.transition?.status !== 'DELETING',
  )
  const global = present.filter(({ kind }) => kind === 'global')
  const local = present.filter(({ kind }) => kind === 'local')
  const create = {
    TableName: name,
    AttributeDefinitions: definition.attributes.map((attribute) => {
      return { AttributeName: attribute.name, AttributeType: attribute.type }
    }),
    KeySchema: keySchema(definition.schema),
    BillingMode: billingMode,
    ...capacityOf(definition),
    ...(global.length === 0
      ? {}
      : { GlobalSecondaryIndexes: global.map((index) => ({ ...indexOf(index), ...capacityOf(index) })) }),
    ...(local.length === 0 ? {} : { LocalSecondaryIndexes: local.map(indexOf) }),
    ...(streamViewType === undefined
      ? {}
      : { StreamSpecification: { StreamEnabled: true, StreamViewType: streamViewType } }),
    ...(tableClass === undefined ? {} : { TableClass: tableClass }),
  }
  const made: SetupRequest = { region, operation: 'CreateTable', request: create }
  if (state.timeToLive?.enabled !== true) return [made]
  const specification = { Enabled: true, AttributeName: state.timeToLive.attribute }
  const request = { TableName: name, TimeToLiveSpecification: specification }
  return [made, { region, operation: 'UpdateTimeToLive', request }]
}

type CapacityOf = Pick<IndexDefinition, 'throughput' | 'onDemandMaximum' | 'warmThroughput'>

function indexOf({ name, schema, projection }: IndexDefinition): object {
  return { IndexName: name, KeySchema: keySchema(schema), Projection: projectionOf(projection) }
}

function keySchema({ hash, range }: KeySchema): object[] {
  return [
    ...hash.map(({ name }) => ({ AttributeName: name, KeyType: 'HASH' })),
    ...range.map(({ name }) => ({ AttributeName: name, KeyType: 'RANGE' })),
  ]
}

function projectionOf(projection: IndexProjection): object {
  const attributes = projection.type === 'INCLUDE' ? { NonKeyAttributes: projection.attributes } : {}
  return { ProjectionType: projection.type, ...attributes }
}

function throughput({ readUnits, writeUnits }: Throughput): object {
  return { ReadCapacityUnits: readUnits, WriteCapacityUnits: writeUnits }
}

function warmThroughput(warm: Throughput | undefined): object {
  if (warm === undefined) return {}
  return { WarmThroughput: { ReadUnitsPerSecond: warm.readUnits, WriteUnitsPerSecond: warm.writeUnits } }
}
