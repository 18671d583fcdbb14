import type { TableDescription } from '@aws-sdk/client-dynamodb'

/** Features of a table that matter for adopting it, besides its keys. */
export interface TableTraits {
  readonly partitionKey: string
  readonly keyType: 'S' | 'N' | 'B'
  readonly sortKey: string | undefined
  /** Local indexes. Queries of them read all shards, if the option `indexes` names their sort keys. */
  readonly localIndexes: readonly string[]
  /** Global indexes with the table's partition key. The same applies to them. */
  readonly globalIndexesOnKey: readonly string[]
  /** Whether the table has a stream, whose consumers will see keys with suffixes. `logicalRecord` removes them. */
  readonly hasStream: boolean
  /** The attribute by which items expire. Expiry continues to work. */
  readonly timeToLive: string | undefined
}

export function traitsOf(table: TableDescription, timeToLive: string | undefined): TableTraits {
  const [partitionKey = '', sortKey] = ['HASH', 'RANGE'].map(
    (type) => table.KeySchema?.find(({ KeyType }) => KeyType === type)?.AttributeName,
  )
  const type = table.AttributeDefinitions?.find(({ AttributeName }) => AttributeName === partitionKey)
  const onKey = (table.GlobalSecondaryIndexes ?? []).filter(({ KeySchema }) =>
    KeySchema?.some(({ AttributeName, KeyType }) => KeyType === 'HASH' && AttributeName === partitionKey),
  )
  return {
    partitionKey,
    keyType: type?.AttributeType ?? 'S',
    sortKey,
    localIndexes: (table.LocalSecondaryIndexes ?? []).map(({ IndexName = '' }) => IndexName),
    globalIndexesOnKey: onKey.map(({ IndexName = '' }) => IndexName),
    hasStream: table.StreamSpecification?.StreamEnabled === true,
    timeToLive,
  }
}
