import type { PageOperation } from '../api/page-operations.js'

/** A value in the JSON form of the API: one member, named for the type. Bytes are in base64. */
export type JsonValue = Readonly<Record<string, unknown>>

/** An item in the JSON form of the API. */
export type JsonItem = Readonly<Record<string, JsonValue>>

/** Sends a request of DynamoDB's API. It rejects with an `Error` that is named for the service's exception. */
export type Call = <Answer>(operation: PageOperation, input: object) => Promise<Answer>

/** An attribute of a key. */
export interface KeyElement {
  readonly AttributeName: string
  readonly KeyType: 'HASH' | 'RANGE'
}

interface IndexDescription {
  readonly IndexName: string
  readonly KeySchema: readonly KeyElement[]
}

/** The members of a table's description that a request for items depends on. */
export interface KeyDescription {
  readonly TableName: string
  readonly KeySchema: readonly KeyElement[]
  readonly AttributeDefinitions: readonly { readonly AttributeName: string; readonly AttributeType: string }[]
  readonly GlobalSecondaryIndexes?: readonly IndexDescription[]
  readonly LocalSecondaryIndexes?: readonly IndexDescription[]
}

/** The key of a table, or of one of its indexes. An index may have several attributes of each kind. */
export interface ItemKeys {
  readonly partition: readonly string[]
  readonly sort: readonly string[]
}

/** @param index its name, or empty for the table itself */
export function keysOf(described: KeyDescription, index: string): ItemKeys {
  const { KeySchema, GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [] } = described
  const found = [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes].find(
    ({ IndexName }) => IndexName === index,
  )
  const schema = found?.KeySchema ?? KeySchema
  const names = (type: KeyElement['KeyType']) =>
    schema.filter(({ KeyType }) => KeyType === type).map(({ AttributeName }) => AttributeName)
  return { partition: names('HASH'), sort: names('RANGE') }
}

/** The type of a key attribute: `S`, `N` or `B`. */
export function keyTypeOf({ AttributeDefinitions }: KeyDescription, name: string): string {
  const found = AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)
  return found?.AttributeType ?? 'S'
}

/** The primary key of an item. */
export function primaryKeyOf({ KeySchema }: Pick<KeyDescription, 'KeySchema'>, item: JsonItem): JsonItem {
  return Object.fromEntries(
    KeySchema.flatMap(({ AttributeName: name }) => {
      const value = item[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
