import { contentOf } from './paths.js'
import type { Attributes } from './values.js'

type Input = Readonly<Record<string, unknown>>
type Members = readonly Readonly<Record<string, Input>>[]

/** In these attributes a card has the names of other tables than the one that the request is for. */
const NAMES_OF_TABLES: readonly string[] = ['table_name', 'shard_map_name']

/** What a request names, for rules that are about it: tables, stored keys as `k_4`, stored items as `k_4/1`. */
export function namedIn(operation: string, input: object): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { table, key } of keysIn(operation, input as Input)) {
    names.add(table)
    const contents = Object.entries(key).flatMap(([name, value]) =>
      NAMES_OF_TABLES.includes(name) ? [] : [contentOf(value)],
    )
    for (const partition of contents) {
      names.add(partition)
      for (const sort of contents) names.add(`${partition}/${sort}`)
    }
  }
  return names
}

/** All attributes of an item that is put: which of them are its keys, the request does not say. */
function keysIn(
  operation: string,
  input: Input,
): readonly { readonly table: string; readonly key: Attributes }[] {
  const one = ({ TableName, Item, Key }: Input, more: Attributes = {}) => ({
    table: String(TableName),
    key: { ...((Item ?? Key ?? {}) as Attributes), ...more },
  })
  switch (operation) {
    case 'Query':
      return [one(input, input.ExpressionAttributeValues as Attributes)]
    case 'TransactWriteItems':
    case 'TransactGetItems':
      return (input.TransactItems as Members).flatMap((member) =>
        Object.values(member).map((action) => one(action)),
      )
    case 'BatchGetItem':
      return Object.entries(
        input.RequestItems as Record<string, { readonly Keys: readonly Attributes[] }>,
      ).flatMap(([table, { Keys }]) => Keys.map((key) => ({ table, key })))
    case 'BatchWriteItem':
      return Object.entries(input.RequestItems as Record<string, Members>).flatMap(([table, members]) =>
        members.flatMap((member) => Object.values(member).map((action) => ({ ...one(action), table }))),
      )
    default:
      return [one(input)]
  }
}
