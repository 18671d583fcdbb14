import { PutItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb'
import { requestToken } from '../../../attempts/request-token.js'
import { writeConcurrently } from '../../../bounded/write-concurrently.js'
import { IsothermError } from '../../../errors/isotherm-error.js'
import { readItems, type StoredItem } from '../../read-items.js'
import { refusalOf } from '../../refusal.js'
import { send } from '../../send.js'
import { MAX_BATCH, writeBatch } from '../../write-batch.js'
import type { BaseItem, StoredLinks } from '../model/base-item.js'
import { derivedItems } from '../model/derived-items.js'
import type { DirectoryTarget } from '../model/directory-target.js'
import { ITEM, itemId, keyOf } from '../model/keys.js'
import { requireFittingItem } from '../model/require-fitting-item.js'
import { sameItem } from '../model/same-item.js'
import { baseOf, storedBase } from '../model/stored-base.js'
import { asRead, putSearchItem } from './actions.js'
import { changeItem } from './change-item.js'
import { readBase } from './read-base.js'
import { settleSearchItems } from './settle-search-items.js'
import { untilSettled } from './until-settled.js'

/** An item as an import wants it. */
export interface WantedItem {
  readonly id: string
  /** `undefined`: as it is, or the time of the import. */
  readonly createdAt: number | undefined
  readonly fields: StoredItem
  /** `undefined`: as they are. */
  readonly links: StoredLinks | undefined
}

/** Changed by each batch. */
export interface ImportCounts {
  created: number
  changed: number
  unchanged: number
}

/** An item that is not there yet, except as an import that ended has left it. */
interface FreshItem {
  readonly item: WantedItem
  /** As it is put first. */
  readonly own: BaseItem
  readonly before: BaseItem | undefined
}

const BATCHES_AT_A_TIME = 8

/**
 * Imports items with different ids. What is there already and equal is left alone. A new one is written in three steps, so that its search items
 * need no transaction: the item, marked as being imported; its search items; the item without the mark. An import that ends in between is
 * taken up by the next one.
 *
 * @throws IsothermError `pattern.value` for an item that is too large, before anything is written; `search.unprocessed`
 */
export async function importBatch(
  target: DirectoryTarget,
  tenant: string,
  wanted: readonly WantedItem[],
  counts: ImportCounts,
): Promise<void> {
  const { db, definition, patience } = target
  const { table, names } = definition
  const keys = wanted.map(({ id }) => keyOf(names, itemId(tenant, id), ITEM))
  const stored = await readItems(db, patience, table, keys)
  const there = new Map(stored.map((item) => [item[names.id]?.S, baseOf(definition, item)]))
  const fresh: FreshItem[] = []
  const begun: BaseItem[] = []
  const others: WantedItem[] = []
  for (const item of wanted) {
    const before = there.get(itemId(tenant, item.id))
    if (before === undefined || before.importing !== undefined) {
      const own = begunItem(target, tenant, item, before)
      requireFittingItem(definition, own)
      fresh.push({ item, own, before })
    } else if (sameItem(before, item)) counts.unchanged += 1
    else {
      const { fields, createdAt = before.createdAt, links = before.links } = item
      requireFittingItem(definition, { ...before, createdAt, fields, links })
      others.push(item)
    }
  }
  await writeConcurrently(fresh, wanted.length, async ({ item, own, before }) => {
    // Otherwise something else has put it first.
    if (await putIf(target, own, before)) begun.push(own)
    else others.push(item)
  })
  await putSearchItems(target, begun)
  await writeConcurrently(begun, MAX_BATCH, async (own) => {
    if (await finish(target, own)) {
      counts.created += 1
      return
    }
    // Something else has written the item, and search items of this import may have come after those.
    await settleSearchItems(target, tenant, own.id, [...derivedItems(definition, own).keys()])
    others.push(...wanted.filter(({ id }) => id === own.id))
  })
  // Those that differ, and those that something else writes at the same time.
  await writeConcurrently(others, BATCHES_AT_A_TIME, (item) => replace(target, tenant, item, counts))
}

/** The item with the mark that it is being imported. */
function begunItem(
  { patience: { random, clock } }: DirectoryTarget,
  tenant: string,
  { id, createdAt, fields, links = {} }: WantedItem,
  before: BaseItem | undefined,
): BaseItem {
  const version = requestToken(random)
  return {
    tenant,
    id,
    // As the import that ended has it: search items of that one may still be on their way.
    createdAt: createdAt ?? before?.createdAt ?? Math.floor(clock.now()),
    version,
    fields,
    links,
    importing: version,
  }
}

async function finish(target: DirectoryTarget, begun: BaseItem): Promise<boolean> {
  const { importing: _mark, ...item } = begun
  // mark: import-ends-what-it-began
  return putIf(target, { ...item, version: requestToken(target.patience.random) }, begun)
}

async function putIf(
  target: DirectoryTarget,
  item: BaseItem,
  before: BaseItem | undefined,
): Promise<boolean> {
  const { db, definition, patience } = target
  const input = {
    TableName: definition.table,
    Item: storedBase(definition, item),
    ...asRead(definition.names.version, before),
  }
  try {
    await untilSettled(patience, () => send(db, new PutItemCommand(input), patience.signal))
    return true
  } catch (error) {
    if (refusalOf(error)?.kind !== 'condition') throw error
    // An attempt whose answer was lost may have put it.
    return (await readBase(target, item.tenant, item.id))?.version === item.version
  }
}

/** @throws IsothermError `search.unprocessed` */
async function putSearchItems(
  { db, definition, patience }: DirectoryTarget,
  items: readonly BaseItem[],
): Promise<void> {
  const requests = items.flatMap((item) =>
    Array.from(derivedItems(definition, item), ([name, key]): WriteRequest => {
      const { Put } = putSearchItem(definition, itemId(item.tenant, item.id), name, key)
      return { PutRequest: { Item: Put?.Item } }
    }),
  )
  const batches = Array.from({ length: Math.ceil(requests.length / MAX_BATCH) }, (_, index) =>
    requests.slice(index * MAX_BATCH, (index + 1) * MAX_BATCH),
  )
  await writeConcurrently(batches, BATCHES_AT_A_TIME, async (batch) => {
    const { left, error } = await writeBatch(db, patience, definition.table, batch)
    if (left.length === 0) return
    const { table } = definition
    throw new IsothermError(
      'search.unprocessed',
      `${left.length} search items were not written to ${table} within ${patience.timeoutMilliseconds} ms: the table or its index is throttled. Import again from where it stopped, more slowly or with a longer timeout.`,
      { table, left: left.length },
      { cause: error },
    )
  })
}

async function replace(
  target: DirectoryTarget,
  tenant: string,
  item: WantedItem,
  counts: ImportCounts,
): Promise<void> {
  let kind: keyof ImportCounts = 'unchanged'
  await changeItem(target, tenant, item.id, (before) => {
    if (before !== undefined && sameItem(before, item)) return undefined
    kind = before === undefined ? 'created' : 'changed'
    const createdAt = item.createdAt ?? before?.createdAt ?? Math.floor(target.patience.clock.now())
    return { after: { createdAt, fields: item.fields, links: item.links ?? before?.links ?? {} } }
  })
  counts[kind] += 1
}
