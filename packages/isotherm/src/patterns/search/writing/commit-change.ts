import { PutItemCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { concurrently } from '../../../bounded/concurrently.js'
import { readItem } from '../../read-items.js'
import { refusalOf } from '../../refusal.js'
import { send } from '../../send.js'
import type { BaseItem } from '../model/base-item.js'
import { type DerivedItems, derivedItems, differenceOf } from '../model/derived-items.js'
import type { DirectoryTarget } from '../model/directory-target.js'
import { ITEM, itemId, keyOf } from '../model/keys.js'
import { storedBase } from '../model/stored-base.js'
import {
  asRead,
  baseCheck,
  MAX_ACTIONS,
  parts,
  putSearchItem,
  removeSearchItem,
  transact,
} from './actions.js'
import { settleSearchItems } from './settle-search-items.js'
import { untilSettled } from './until-settled.js'

/** Search items that were written before their item are read again, so many at a time. */
const READ_AT_A_TIME = 25

/** A change of one item, from what was read to what shall be. `undefined`: the item is not there. */
export interface ItemChange {
  readonly tenant: string
  readonly id: string
  readonly before: BaseItem | undefined
  readonly after: BaseItem | undefined
  /** Checks that belong to the change, such as that a link's target still has its name. */
  readonly checks: readonly TransactWriteItem[]
}

/**
 * Carries a change out, if the item is as it was read. A change of more than a hundred items takes several transactions: first search items
 * are added, then the item changes together with search items that both states have, then search items are removed. So no match is missing in
 * between, and those too many are skipped.
 *
 * @throws a cancelled transaction, or a condition that does not hold, if something else has changed the item
 */
export async function commitChange(target: DirectoryTarget, change: ItemChange): Promise<void> {
  const { definition } = target
  const { tenant, id, before, after, checks } = change
  const base = baseAction(target, change)
  if (definition.mode === 'stream' && before?.importing === undefined && after?.importing === undefined) {
    if (checks.length > 0 || base.Put === undefined) return transact(target, [base, ...checks])
    const put = base.Put
    await untilSettled(target.patience, () => send(target.db, new PutItemCommand(put)))
    return
  }
  const { adds, puts, removes, remove } = searchItemActions(target, change)
  const together = [base, ...checks, ...adds, ...puts, ...removes]
  if (together.length <= MAX_ACTIONS) return transact(target, together)
  const room = MAX_ACTIONS - 1 - checks.length
  const early = [...adds, ...puts.slice(room)]
  try {
    for (const part of parts(early)) await transact(target, [baseCheck(target, tenant, id, before), ...part])
    await transact(target, [base, ...checks, ...puts.slice(0, room)])
  } catch (error) {
    // An attempt whose answer was lost may have carried it out. Otherwise what was written early may have replaced what another change wrote.
    if (refusalOf(error)?.kind === 'condition')
      await settleSearchItems(target, tenant, id, [...early.map((put) => nameOf(target, put)), ...remove])
    throw error
  }
  // Until now they belonged to no item: a repair may have removed some, or another change replaced them.
  const lost = await lostOf(target, early)
  await settleSearchItems(target, tenant, id, [...lost, ...remove])
}

/** Of search items that were written, the names of those that are not there, or have another content. */
async function lostOf(
  target: DirectoryTarget,
  written: readonly TransactWriteItem[],
): Promise<readonly string[]> {
  const { db, definition, patience } = target
  const { table, names } = definition
  const lost: string[] = []
  await concurrently(written, READ_AT_A_TIME, async (action) => {
    const wanted = action.Put?.Item ?? {}
    const name = nameOf(target, action)
    const stored = await readItem(db, patience, table, keyOf(names, wanted[names.id]?.S ?? '', name))
    if (stored?.[names.searchValue]?.S !== wanted[names.searchValue]?.S) lost.push(name)
  })
  return lost
}

/** The sort key of a search item that is put. */
function nameOf({ definition: { names } }: DirectoryTarget, { Put }: TransactWriteItem): string {
  return Put?.Item?.[names.dataType]?.S ?? ''
}

/** The search items that a change adds, puts in the place of others, and removes. */
function searchItemActions({ definition }: DirectoryTarget, { tenant, id, before, after }: ItemChange) {
  const none: DerivedItems = new Map()
  const old = before === undefined ? none : derivedItems(definition, before)
  const wanted = after === undefined ? none : derivedItems(definition, after)
  const { put, remove } = differenceOf(old, wanted)
  // An import that has not ended may have written any of its search items, or none.
  const isSure = before?.importing === undefined
  const all = [...(isSure ? put : wanted)]
  const toPut = ([name, key]: (typeof all)[number]) =>
    putSearchItem(definition, itemId(tenant, id), name, key)
  return {
    adds: all.filter(([name]) => !old.has(name)).map(toPut),
    puts: all.filter(([name]) => old.has(name)).map(toPut),
    remove,
    removes: remove.map((name) => removeSearchItem(definition, itemId(tenant, id), name)),
  }
}

function baseAction(
  { definition }: DirectoryTarget,
  { tenant, id, before, after }: ItemChange,
): TransactWriteItem {
  const { table: TableName, names } = definition
  const condition = asRead(names.version, before)
  if (after !== undefined) return { Put: { TableName, Item: storedBase(definition, after), ...condition } }
  return { Delete: { TableName, Key: keyOf(names, itemId(tenant, id), ITEM), ...condition } }
}
