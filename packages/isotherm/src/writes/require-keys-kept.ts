import { changedKeyText } from '@isotherm/semantics'
import type { ShardedTable } from '../options/sharded-table.js'
import type { ItemWrite } from '../sdk/item-write.js'
import { validationException } from '../sdk/validation-exception.js'
import { requireKeyUnread, updateNaming } from './require-key-unread.js'

/**
 * An update neither changes where its item lies nor reads the partition key.
 *
 * @throws a `ValidationException` as the service has it, also where the item is not written in the end; IsothermError
 * `command.parameter-unsupported`; ValidationError in the service's words
 */
export function requireKeysKept(
  table: Pick<ShardedTable, 'name' | 'partitionKey' | 'sortKey'>,
  write: ItemWrite,
): void {
  const { partitionKey, sortKey } = table
  const keys = sortKey === undefined ? [partitionKey] : [partitionKey, sortKey]
  const update = updateNaming(keys, write)
  const changed = keys.find((key) => update?.touched.some(([first]) => first === key))
  if (changed !== undefined) {
    throw validationException(changedKeyText(changed))
  }
  requireKeyUnread(table, write.operation, update)
}
