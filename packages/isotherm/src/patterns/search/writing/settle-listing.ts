import type { StoredItem } from '../../read-items.js'
import { refusalOf } from '../../refusal.js'
import type { BaseItem } from '../model/base-item.js'
import type { DirectoryTarget } from '../model/directory-target.js'
import { storedBase } from '../model/stored-base.js'
import { asRead, transact } from './actions.js'

/** Whether an item is listed as it should be: its entry in its tenant's list has its texts, in their present form. */
export function isListed({ definition }: DirectoryTarget, item: BaseItem, stored: StoredItem): boolean {
  const { searchType, searchValue } = definition.names
  const wanted = storedBase(definition, item)
  return [searchType, searchValue].every((name) => wanted[name]?.S === stored[name]?.S)
}

/** Writes the entry of an item in its tenant's list, if the item is still as it was read. A change of it meanwhile has written the entry. */
export async function settleListing(
  target: DirectoryTarget,
  item: BaseItem,
  stored: StoredItem,
): Promise<boolean> {
  const { table: TableName, names } = target.definition
  // It keeps its version, because nothing changes that an application sees, and attributes that the definition does not name.
  const Item = { ...stored, ...storedBase(target.definition, item) }
  try {
    await transact(target, [{ Put: { TableName, Item, ...asRead(names.version, item) } }])
    return true
  } catch (error) {
    if (refusalOf(error)?.kind !== 'condition') throw error
    return false
  }
}
