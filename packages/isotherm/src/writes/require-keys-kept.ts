import { bindUpdate, type Item, Placeholders, parseUpdate } from '@isotherm/semantics'
import type { ShardedTable } from '../options/parse-options.js'
import { validationException } from '../queries/validation-exception.js'
import type { ItemWrite } from '../sdk/item-write.js'
import { mentions } from './placeholders.js'
import { requireKeyUnread } from './require-key-unread.js'

/**
 * An update neither changes where its item lies nor reads the partition key.
 *
 * @throws a `ValidationException` as the service has it, also where the item is not written in the end; IsothermError
 * `command.parameter-unsupported`; ValidationError in the service's words
 */
export function requireKeysKept(
  { name, partitionKey, sortKey }: Pick<ShardedTable, 'name' | 'partitionKey' | 'sortKey'>,
  { operation, input }: ItemWrite,
): void {
  if (operation !== 'UpdateItem') return
  const { UpdateExpression: text, ExpressionAttributeNames: names, ExpressionAttributeValues: values } = input
  const keys = sortKey === undefined ? [partitionKey] : [partitionKey, sortKey]
  if (text === undefined || !keys.some((key) => mentions(text, names, key))) return
  const update = bindUpdate(parseUpdate(text), new Placeholders(names, values as Item | undefined))
  const changed = keys.find((key) => update.touched.some(([first]) => first === key))
  if (changed !== undefined) {
    throw validationException(
      `One or more parameter values were invalid: Cannot update attribute ${changed}. This attribute is part of the key`,
    )
  }
  requireKeyUnread({ name, partitionKey }, { operation, input })
}
