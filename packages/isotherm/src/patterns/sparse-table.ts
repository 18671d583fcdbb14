import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'

/** A table with a sparse index. */
export interface SparseTable {
  readonly table: string
  readonly partitionKey: string
  readonly sortKey: string | undefined
  readonly index: string
  readonly indexKey: string
  /** A number. */
  readonly indexSort: string
}

/** The input of a CreateTable request, on demand. */
export function sparseTable({
  table,
  partitionKey,
  sortKey,
  index,
  indexKey,
  indexSort,
}: SparseTable): CreateTableCommandInput {
  const text = [partitionKey, indexKey, ...(sortKey === undefined ? [] : [sortKey])]
  return {
    TableName: table,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: partitionKey, KeyType: 'HASH' },
      ...(sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' as const }]),
    ],
    AttributeDefinitions: [
      ...text.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
      { AttributeName: indexSort, AttributeType: 'N' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: index,
        KeySchema: [
          { AttributeName: indexKey, KeyType: 'HASH' },
          { AttributeName: indexSort, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  }
}
