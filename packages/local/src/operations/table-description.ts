import type { SecondaryIndex } from '../table/secondary-index.js'
import type { Table } from '../table/table.js'
import type { IndexProjection, KeySchema, Throughput } from '../table/table-definition.js'

/**
 * A table as CreateTable, DescribeTable, UpdateTable and DeleteTable show it. Times are epoch seconds.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html
 */
export function describeTable(table: Table, status: 'ACTIVE' | 'CREATING' | 'UPDATING' | 'DELETING'): object {
  const { definition } = table
  const indexes = [...table.indexes.values()]
  return {
    AttributeDefinitions: definition.attributes.map(({ name, type }) => ({
      AttributeName: name,
      AttributeType: type,
    })),
    TableName: definition.name,
    KeySchema: describeKeySchema(definition.schema),
    TableStatus: status,
    CreationDateTime: seconds(table.createdAt),
    ProvisionedThroughput: describeThroughput(definition.throughput),
    TableSizeBytes: table.bytes,
    ItemCount: table.itemCount,
    TableArn: table.arn,
    TableId: table.id,
    ...describeBillingMode(table),
    ...(indexes.length > 0
      ? { GlobalSecondaryIndexes: indexes.map((index) => describeIndex(index, status)) }
      : {}),
    DeletionProtectionEnabled: false,
  }
}

function describeIndex({ definition, items, arn }: SecondaryIndex, status: string): object {
  return {
    IndexName: definition.name,
    KeySchema: describeKeySchema(definition.schema),
    Projection: describeProjection(definition.projection),
    IndexStatus: status,
    ProvisionedThroughput: describeThroughput(definition.throughput),
    IndexSizeBytes: items.bytes,
    ItemCount: items.size,
    IndexArn: arn,
  }
}

function describeKeySchema({ hash, range }: KeySchema): object[] {
  const element = (keyType: string) => (attribute: { name: string }) => {
    return { AttributeName: attribute.name, KeyType: keyType }
  }
  return [...hash.map(element('HASH')), ...range.map(element('RANGE'))]
}

function describeProjection(projection: IndexProjection): object {
  return {
    ProjectionType: projection.type,
    ...(projection.type === 'INCLUDE' ? { NonKeyAttributes: projection.attributes } : {}),
  }
}

function describeThroughput({ readUnits, writeUnits }: Throughput): object {
  return { NumberOfDecreasesToday: 0, ReadCapacityUnits: readUnits, WriteCapacityUnits: writeUnits }
}

/** A table that was always provisioned says nothing about its mode. */
function describeBillingMode(table: Table): object {
  if (table.onDemandSince === undefined) return {}
  return {
    BillingModeSummary: {
      BillingMode: table.billingMode,
      LastUpdateToPayPerRequestDateTime: seconds(table.onDemandSince),
    },
  }
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds) / 1000
}
