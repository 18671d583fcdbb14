import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { KeyShardsState } from 'isotherm'
import { contentOf, type KeyedTable, type KeyedTables, pathOfItem, pathText } from './paths.js'
import { type Attributes, valueText } from './values.js'

type Output = Readonly<Record<string, unknown>>

/** What the library adds to an item while it is moved, and what a script calls it. */
const MARKS = { isotherm_moving: 'moving', isotherm_moved: 'moved' } as const

/** The answer to a command, in the words of a script. */
export function answerText(
  operation: string,
  table: KeyedTable | undefined,
  output: Output,
  tables: KeyedTables,
): string {
  switch (operation) {
    case 'GetItem':
      return itemText(table, output.Item as Attributes | undefined)
    case 'Query':
    case 'Scan':
      return pageText(table, output)
    case 'BatchGetItem':
      return batchText(output, tables)
    case 'TransactGetItems':
      return (output.Responses as readonly { readonly Item?: Attributes }[])
        .map(({ Item }) => (Item === undefined ? 'nothing' : attributesText(Item, []) || 'there'))
        .join(', ')
    case 'BatchWriteItem':
      return leftOutText(output)
    default:
      return output.Attributes === undefined ? 'ok' : itemText(table, output.Attributes as Attributes)
  }
}

/** An error by the library's code, or the service's name. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return `error ${String(error)}`
  return `error ${'code' in error && typeof error.code === 'string' ? error.code : error.name}`
}

/** The state of a key in the shard map. */
export function shardsText(state: KeyShardsState | undefined): string {
  if (state === undefined) return 'unknown'
  const { shards, readableShards, phase, from, to } = state
  const change = phase === 'announced' || phase === 'moved' || phase === 'draining' ? ` ${from} to ${to}` : ''
  return `${shards} of ${readableShards}, ${phase}${change}`
}

/** Items as they are stored, in the order of their keys. */
export function storedText(table: KeyedTable, items: readonly Attributes[], tables: KeyedTables): string {
  const texts = items.map((item) => {
    const { partitionKey, sortKey } = table
    const path = pathText(pathOfItem(table, item), tables)
    return [path, attributesText(item, [partitionKey, sortKey])].filter((part) => part !== '').join(' ')
  })
  return texts.sort().join(', ') || 'nothing'
}

/** Without its partition key, which the request tells. */
function itemText(table: KeyedTable | undefined, item: Attributes | undefined): string {
  if (item === undefined || table === undefined) return 'nothing'
  const rest = attributesText(item, [table.partitionKey, table.sortKey])
  const sort = item[table.sortKey]
  return (
    [...(sort === undefined ? [] : [contentOf(sort)]), ...(rest === '' ? [] : [rest])].join(' ') || 'there'
  )
}

/** The attributes in the order of their names, and behind them the marks of moves. */
function attributesText(item: Attributes, hidden: readonly string[]): string {
  const names = Object.keys(item).filter((name) => !hidden.includes(name))
  const own = names.filter((name) => !(name in MARKS)).sort()
  const texts = own.map((name) => `${name}=${valueText(item[name] as AttributeValue)}`)
  const marks = Object.entries(MARKS).flatMap(([name, mark]) => (names.includes(name) ? [mark] : []))
  return [...texts, ...marks].join(' ')
}

function pageText(table: KeyedTable | undefined, { Items, Count, LastEvaluatedKey }: Output): string {
  const items = Items as readonly Attributes[] | undefined
  const text =
    items === undefined ? String(Count) : items.map((item) => itemText(table, item)).join(', ') || 'nothing'
  return LastEvaluatedKey === undefined ? text : `${text} ...`
}

function batchText({ Responses, UnprocessedKeys }: Output, tables: KeyedTables): string {
  const found = Object.entries((Responses ?? {}) as Record<string, readonly Attributes[]>).flatMap(
    ([name, items]) => {
      const table = tables.get(name)
      return items.map((item) => itemText(table, item))
    },
  )
  const left = Object.keys((UnprocessedKeys ?? {}) as object).length > 0 ? ', and some left out' : ''
  return `${found.sort().join(', ') || 'nothing'}${left}`
}

function leftOutText({ UnprocessedItems }: Output): string {
  const left = Object.values((UnprocessedItems ?? {}) as Record<string, readonly unknown[]>).flat()
  return left.length === 0 ? 'ok' : `${left.length} left out`
}
