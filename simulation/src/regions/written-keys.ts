type Attributes = Readonly<Record<string, object>>

/** One item that a request has written. */
export interface WrittenKey {
  readonly table: string
  readonly key: Attributes
}

/** The keys of each table, in their order. */
export type TableKeys = ReadonlyMap<string, readonly string[]>

interface Member {
  readonly TableName: string
  readonly Item?: Attributes
  readonly Key?: Attributes
}

interface Input extends Partial<Member> {
  readonly TransactItems?: readonly Readonly<Partial<Record<'Put' | 'Update' | 'Delete', Member>>>[]
  readonly RequestItems?: Readonly<
    Record<
      string,
      readonly {
        readonly PutRequest?: Pick<Member, 'Item'>
        readonly DeleteRequest?: Pick<Member, 'Key'>
      }[]
    >
  >
}

/** The items of these tables that a request has written, if it was carried out. */
export function writtenKeys(operation: string, given: object, keys: TableKeys): readonly WrittenKey[] {
  return membersOf(operation, given as Input).flatMap(({ TableName: table, Item, Key }) => {
    const names = keys.get(table)
    if (names === undefined) return []
    const attributes = Item ?? Key ?? {}
    return [{ table, key: Object.fromEntries(names.map((name) => [name, attributes[name] as object])) }]
  })
}

function membersOf(operation: string, input: Input): readonly Member[] {
  switch (operation) {
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [input as Member]
    case 'TransactWriteItems':
      return (input.TransactItems ?? []).flatMap(({ Put, Update, Delete }) => Put ?? Update ?? Delete ?? [])
    case 'BatchWriteItem':
      return Object.entries(input.RequestItems ?? {}).flatMap(([TableName, requests]) =>
        requests.map(({ PutRequest, DeleteRequest }) => ({ TableName, ...PutRequest, ...DeleteRequest })),
      )
    default:
      return []
  }
}
