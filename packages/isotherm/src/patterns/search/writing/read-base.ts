import { readItem } from '../../read-items.js'
import type { BaseItem } from '../model/base-item.js'
import type { DirectoryTarget } from '../model/directory-target.js'
import { ITEM, itemId, keyOf } from '../model/keys.js'
import { baseOf } from '../model/stored-base.js'

/** Reads an item consistently, as it is stored. */
export async function readBase(
  { db, definition, patience }: DirectoryTarget,
  tenant: string,
  id: string,
): Promise<BaseItem | undefined> {
  const { table, names } = definition
  return baseOf(definition, await readItem(db, patience, table, keyOf(names, itemId(tenant, id), ITEM)))
}
