import type { Endpoint } from '../endpoint.js'
import type { Step } from '../families/family.js'
import { isJsonObject } from '../json.js'
import { canonical } from '../judgement/canonical.js'
import { keysOf, type TableModel } from '../model/table-model.js'
import { TABLES } from '../model/tables.js'
import type { Sides } from './compare.js'

const READS = new Set([
  'GetItem',
  'Query',
  'Scan',
  'BatchGetItem',
  'TransactGetItems',
  'DescribeTable',
  'ListTables',
])
const TABLE_OPERATIONS = new Set(['CreateTable', 'UpdateTable', 'DeleteTable'])

/**
 * Makes the sides equal again after different responses. One side can have written what the other refused, and every
 * later response would differ for that reason alone. Items that differ are deleted on both sides.
 */
export async function reconcile(sides: Sides, { operation, request }: Step): Promise<void> {
  if (READS.has(operation)) return
  if (TABLE_OPERATIONS.has(operation)) return dropTable(sides, request)
  const text = JSON.stringify(request)
  for (const table of TABLES) if (text.includes(`"${table.name}"`)) await reconcileTable(sides, table)
}

async function dropTable(sides: Sides, request: object): Promise<void> {
  const name = 'TableName' in request ? request.TableName : undefined
  if (TABLES.some((table) => table.name === name))
    throw new Error(`The run would drop its table ${String(name)}.`)
  await Promise.all([sides.ours, sides.theirs].map((side) => side.ask('DeleteTable', { TableName: name })))
}

async function reconcileTable(sides: Sides, table: TableModel): Promise<void> {
  const [ours, theirs] = await Promise.all([itemsOf(sides.ours, table), itemsOf(sides.theirs, table)])
  for (const [key, item] of [...ours, ...theirs]) {
    if (ours.get(key) === item && theirs.get(key) === item) continue
    const request = { TableName: table.name, Key: JSON.parse(key) }
    await Promise.all([sides.ours, sides.theirs].map((side) => side.ask('DeleteItem', request)))
  }
}

/** All items of a table by their keys, both as text. Items of 400 KB make several pages. */
async function itemsOf(side: Endpoint, table: TableModel): Promise<Map<string, string>> {
  const items = new Map<string, string>()
  let ExclusiveStartKey: unknown
  do {
    const { status, body } = await side.ask('Scan', {
      TableName: table.name,
      ConsistentRead: true,
      ...(ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }),
    })
    if (status !== 200 || !isJsonObject(body) || !Array.isArray(body.Items)) {
      throw new Error(`A table of the comparison cannot be read: ${JSON.stringify(body)}`)
    }
    for (const item of body.Items) {
      const key = Object.fromEntries(keysOf(table).map(({ name }) => [name, item[name]]))
      items.set(JSON.stringify(key), JSON.stringify(canonical(item)))
    }
    ExclusiveStartKey = body.LastEvaluatedKey
  } while (ExclusiveStartKey !== undefined)
  return items
}
