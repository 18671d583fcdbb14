/** A key attribute of a table or index. */
export interface KeyModel {
  readonly name: string
  readonly type: 'S' | 'N' | 'B'
}

export interface IndexModel {
  readonly name: string
  readonly hash: KeyModel
  readonly range?: KeyModel
  readonly projection: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'
  readonly kind: 'global' | 'local'
}

/** A table that both sides have. */
export interface TableModel {
  readonly name: string
  readonly hash: KeyModel
  readonly range?: KeyModel
  readonly indexes: readonly IndexModel[]
}

/** The attributes that an index with projection INCLUDE contains besides keys. */
const INCLUDED = ['a', 'doc']

/** The attributes of a key, its partition key first. */
export function keysOf({ hash, range }: Pick<TableModel, 'hash' | 'range'>): readonly KeyModel[] {
  return range === undefined ? [hash] : [hash, range]
}

/** The request that creates the table. */
export function createTableRequest(table: TableModel): object {
  const indexes = (kind: IndexModel['kind']) =>
    table.indexes.filter((index) => index.kind === kind).map(indexRequest)
  const attributes = new Map(
    [table, ...table.indexes].flatMap(keysOf).map(({ name, type }) => [name, type] as const),
  )
  const [global, local] = [indexes('global'), indexes('local')]
  return {
    TableName: table.name,
    AttributeDefinitions: [...attributes].map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    KeySchema: keySchema(table),
    BillingMode: 'PAY_PER_REQUEST',
    ...(global.length > 0 ? { GlobalSecondaryIndexes: global } : {}),
    ...(local.length > 0 ? { LocalSecondaryIndexes: local } : {}),
  }
}

function indexRequest(index: IndexModel): object {
  return {
    IndexName: index.name,
    KeySchema: keySchema(index),
    Projection: {
      ProjectionType: index.projection,
      ...(index.projection === 'INCLUDE' ? { NonKeyAttributes: INCLUDED } : {}),
    },
  }
}

function keySchema({ hash, range }: Pick<TableModel, 'hash' | 'range'>): object[] {
  const schema = [{ AttributeName: hash.name, KeyType: 'HASH' }]
  if (range !== undefined) schema.push({ AttributeName: range.name, KeyType: 'RANGE' })
  return schema
}
