import type { QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import type { ItemOperation } from '../invariants/item-history.js'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import { everyItem } from './every-item.js'
import type { SentGroup } from './item-groups.js'
import { type Attributes, stateOf } from './item-operations.js'
import type { KeptItem } from './kept-items.js'
import { idOf } from './log-ids.js'

interface KeptQuery {
  readonly table: WorkloadTable
  readonly log: string
  /** Every item of the key that was ever appended, or may have been, by the time when the query is sent. */
  readonly items: readonly KeptItem[]
}

/** A consistent query of a whole key, page by page: a read of each of its items, those included that are not given. */
export function queryOf(process: Process, { table, log, items }: KeptQuery): SentGroup<KeptItem> {
  const read: ItemOperation = {
    text: `${process.name} queries`,
    apply: (state) => ({ state, answer: `is ${state}` }),
    leaves: (answer: string) => answer.slice('is '.length),
  }
  const forward = process.random.next() < 0.5
  const Limit = process.random.next() < 0.5 ? randomInteger(process.random, 1, 20) : undefined
  const input: QueryCommandInput = {
    TableName: table.name,
    KeyConditionExpression: '#key = :key',
    ExpressionAttributeNames: { '#key': table.partitionKey },
    ExpressionAttributeValues: { ':key': { S: log } },
    ConsistentRead: true,
    ScanIndexForward: forward,
    Limit,
  }
  return {
    operations: new Map(items.map((item) => [item, { ...read }])),
    send: async (db) => {
      const given = await everyItem(process, db, input)
      const found = itemsById(process.name, { table, log, forward }, given)
      return new Map(items.map((item) => [item, `is ${stateOf(found.get(item.id))}`]))
    },
  }
}

/** @throws Violation for one that is given twice, or out of order */
function itemsById(
  reader: string,
  { table, log, forward }: Pick<KeptQuery, 'table' | 'log'> & { readonly forward: boolean },
  given: readonly Attributes[],
): ReadonlyMap<number, Attributes> {
  const found = new Map<number, Attributes>()
  let last: number | undefined
  for (const item of given) {
    const id = idOf(table, item)
    if (found.has(id)) {
      throw new Violation('an append is read once', `${reader} read ${id} of ${log} twice`, [log, String(id)])
    }
    if (last !== undefined && forward !== id > last) {
      const seen = `${reader} read ${id} of ${log} after ${last}`
      throw new Violation('items come in order', seen, [log, String(id)])
    }
    found.set(id, item)
    last = id
  }
  return found
}
