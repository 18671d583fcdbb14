import { refuseLegacy } from '../errors/refuse.js'
import { type ItemKey, readItemKey } from '../keys/item-key.js'
import type { KeyedTable } from '../keys/keyed-table.js'
import { LEGACY_OF_ITEMS, refuseOwnAttributes } from '../reads/require-supported.js'
import { attributesOf, type ItemWrite } from '../sdk/item-write.js'

/**
 * The key of a write's item, with room for every shard that a new key has if the write may create the item.
 * @throws IsothermError `key.*`, `command.parameter-unsupported`; ValidationError with the service's text
 */
export function checkedKey(table: KeyedTable, write: ItemWrite): ItemKey {
  refuseLegacy(table.options.name, write.operation, write.input, LEGACY_OF_ITEMS)
  refuseOwnAttributes(table, write)
  const key = readItemKey(table.options, attributesOf(write))
  if (write.operation !== 'DeleteItem') table.suffix.requireRoom(key.logical)
  return key
}
