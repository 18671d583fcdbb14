import { changedKeyText } from '@isotherm/semantics'
import type { ShardedTable } from '../options/sharded-table.js'
import type { ItemWrite } from '../sdk/item-write.js'
import { validationException } from '../sdk/validation-exception.js'
import { requireKeyUnread, updateNaming } from './require-key-unread.js'

/**
 * Checks that an update does not change the item's key, and does not read the partition key.
 *
 * @throws a `ValidationException` like the service's, even if the item would not be written; IsothermError
 * `command.parameter-unsupported`; ValidationError with the service's text
 */
export function requireKeysKept(
  table: Pick<ShardedTable, 'name' | 'partitionKey' | 'sortKey'>,
  write: ItemWrite,
): void {
  if (write.operation !== 'UpdateItem') return
  const { partitionKey, sortKey } = table
  const keys = sortKey === undefined ? [partitionKey] : [partitionKey, sortKey]
  const update = updateNaming(keys, write)
  const changed = keys.find((key) => update?.touched.some(([first]) => first === key))
  if (changed !== undefined) {
    throw validationException(changedKeyText(changed))
  }
  requireKeyUnread(table, write.operation, update)
}
