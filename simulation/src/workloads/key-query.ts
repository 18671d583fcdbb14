import type { AttributeValue, QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import type { ItemOperation } from '../invariants/item-history.js'
import type { Process } from '../world/process.js'
import { contentOf } from '../world/stored-items.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import { everyItem } from './every-item.js'
import type { FollowedItem } from './followed-requests.js'
import type { SentGroup } from './item-groups.js'
import { type Attributes, stateOf } from './item-operations.js'

interface KeyQuery<Item> {
  readonly table: WorkloadTable
  readonly key: string
  /** Every item of the key that is there, or may be, by the time when the query is sent. */
  readonly items: readonly Item[]
}

/** Items of a page, at most, where the application asks for so few. */
const MAX_LIMIT = 20

/** A consistent query of a whole key, page by page: a read of each of its items, those included that are not given. */
export function queryOf<Item extends FollowedItem>(
  process: Process,
  { table, key, items }: KeyQuery<Item>,
): SentGroup<Item> {
  const read: ItemOperation = {
    text: `${process.name} queries`,
    apply: (state) => ({ state, answer: `is ${state}` }),
    leaves: (answer: string) => answer.slice('is '.length),
  }
  const forward = process.random.next() < 0.5
  const most = Math.min(items.length, MAX_LIMIT)
  const Limit = most > 0 && process.random.next() < 0.5 ? randomInteger(process.random, 1, most) : undefined
  const input: QueryCommandInput = {
    TableName: table.name,
    KeyConditionExpression: '#key = :key',
    ExpressionAttributeNames: { '#key': table.partitionKey },
    ExpressionAttributeValues: { ':key': { S: key } },
    ConsistentRead: true,
    ScanIndexForward: forward,
    Limit,
  }
  return {
    operations: new Map(items.map((item) => [item, { ...read }])),
    send: async (db) => {
      const given = await everyItem(process, db, input)
      requireOrder(given, { table, key, forward, reader: process.name })
      const found = new Map(given.map((item) => [contentOf(item[table.sortKey]), item]))
      const sortOf = ({ target }: Item) => contentOf(target.key[table.sortKey])
      return new Map(items.map((item) => [item, `is ${stateOf(found.get(sortOf(item)))}`]))
    },
  }
}

interface Reading extends Omit<KeyQuery<never>, 'items'> {
  readonly reader: string
  readonly forward: boolean
}

/** @throws Violation for an item that is given twice, or out of order */
function requireOrder(given: readonly Attributes[], { table, key, forward, reader }: Reading): void {
  const seenBefore = new Set<string>()
  let last: AttributeValue | undefined
  for (const item of given) {
    const sort = item[table.sortKey]
    const text = contentOf(sort)
    if (seenBefore.has(text)) {
      throw new Violation('a query gives each item once', `${reader} read ${text} of ${key} twice`, [
        key,
        text,
      ])
    }
    if (last !== undefined && forward !== isBehind(sort, last)) {
      const seen = `${reader} read ${text} of ${key} after ${contentOf(last)}`
      throw new Violation('items come in order', seen, [key, text])
    }
    seenBefore.add(text)
    last = sort
  }
}

/** The service's order of two sort keys, said once more and naively: the texts here are ASCII, the numbers small. */
function isBehind(sort: AttributeValue | undefined, other: AttributeValue): boolean {
  if (other.N !== undefined) return Number(sort?.N) > Number(other.N)
  return String(sort?.S) > String(other.S)
}
