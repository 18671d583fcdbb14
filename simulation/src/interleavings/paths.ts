import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { Attributes } from './values.js'

/** The keys of a table, as far as a path needs them. */
export interface KeyedTable {
  readonly name: string
  readonly partitionKey: string
  readonly sortKey: string
  readonly sortType: 'S' | 'N'
}

/** Tables by name; the first one is meant where none is named. */
export type KeyedTables = ReadonlyMap<string, KeyedTable>

/** An item, or with `sort` undefined, all items of a partition key. */
export interface Path {
  readonly table: KeyedTable
  readonly partition: string
  readonly sort: AttributeValue | undefined
}

const SEGMENT = /(?:[^/:"]|"(?:[^"\\]|\\.)*")+/y
const PLAIN = /^[^\s"/:(),;=<>{}`]+$/

/** `k/1`, `orders:k/1` or `k`. Parts with other characters stand in quotation marks. @throws Error where it is none */
export function pathOf(text: string, tables: KeyedTables): Path {
  const [first] = tables.values()
  let at = 0
  const segment = () => {
    SEGMENT.lastIndex = at
    const found = SEGMENT.exec(text)?.[0]
    if (found === undefined) throw new Error(`${text} is no key; write KEY/SORT or TABLE:KEY/SORT`)
    at += found.length
    return found.includes('"') ? (JSON.parse(found) as string) : found
  }
  const head = segment()
  const isNamed = text[at] === ':'
  const table = isNamed ? tables.get(head) : first
  if (table === undefined)
    throw new Error(`there is no table ${head}; declare it in a line "table ${head}: ..."`)
  if (isNamed) at += 1
  const partition = isNamed ? segment() : head
  if (at === text.length) return { table, partition, sort: undefined }
  at += 1
  const sort = segment()
  if (at < text.length) throw new Error(`${text} is no key; write KEY/SORT or TABLE:KEY/SORT`)
  return { table, partition, sort: table.sortType === 'N' ? { N: sort } : { S: sort } }
}

/** @throws Error where the path is of a whole key */
export function keyOf({ table, partition, sort }: Path): Attributes {
  if (sort === undefined) throw new Error(`${partition} needs a sort key: write ${partition}/1`)
  return { [table.partitionKey]: { S: partition }, [table.sortKey]: sort }
}

/** As `pathOf` reads it. */
export function pathText({ table, partition, sort }: Path, tables: KeyedTables): string {
  const [first] = tables.values()
  const prefix = table.name === first?.name ? '' : `${segmentText(table.name)}:`
  const suffix = sort === undefined ? '' : `/${segmentText(contentOf(sort))}`
  return `${prefix}${segmentText(partition)}${suffix}`
}

/** The path of an item. */
export function pathOfItem(table: KeyedTable, item: Attributes): Path {
  return { table, partition: contentOf(item[table.partitionKey]), sort: item[table.sortKey] }
}

export function contentOf(value: AttributeValue | undefined): string {
  return String(value?.S ?? value?.N)
}

function segmentText(text: string): string {
  return PLAIN.test(text) ? text : JSON.stringify(text)
}
