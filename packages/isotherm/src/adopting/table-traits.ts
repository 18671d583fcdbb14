import type { TableDescription } from '@aws-sdk/client-dynamodb'

/** What adopting a table has to do with, besides its keys. */
export interface TableTraits {
  readonly partitionKey: string
  readonly keyType: 'S' | 'N' | 'B'
  readonly sortKey: string | undefined
  /** Their queries are scattered, once the options name their sort keys (`indexes`). */
  readonly localIndexes: readonly string[]
  /** Global indexes under the table's partition key: the same. */
  readonly globalIndexesOnKey: readonly string[]
  /** Whether consumers of the stream will see keys with suffixes (`logicalRecord` takes them off). */
  readonly hasStream: boolean
  /** The attribute by which items expire, which go on doing so. */
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
