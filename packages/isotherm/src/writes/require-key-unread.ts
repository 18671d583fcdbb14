import { bindUpdate, type Item, Placeholders, parseUpdate, updatePaths } from '@isotherm/semantics'
import { refuseParameter } from '../errors/refuse.js'
import type { ShardedTable } from '../options/parse-options.js'
import type { ItemWrite } from '../sdk/item-write.js'
import { mentions } from './placeholders.js'

/**
 * An update does not read the partition key: what is stored there has a suffix, which would get into another attribute.
 * @throws IsothermError `command.parameter-unsupported`; ValidationError in the service's words
 */
export function requireKeyUnread(
  { name, partitionKey }: Pick<ShardedTable, 'name' | 'partitionKey'>,
  { operation, input }: ItemWrite,
): void {
  if (operation !== 'UpdateItem') return
  const { UpdateExpression: text, ExpressionAttributeNames: names, ExpressionAttributeValues: values } = input
  if (text === undefined || !mentions(text, names, partitionKey)) return
  const update = bindUpdate(parseUpdate(text), new Placeholders(names, values as Item | undefined))
  const isOfKey = ([first]: readonly unknown[]) => first === partitionKey
  // What would change the key is refused in any case: a single write's before it is sent, a transaction's by the service.
  if (update.touched.some(isOfKey) || !updatePaths(update).some(isOfKey)) return
  throw refuseParameter(
    name,
    operation,
    `an UpdateExpression that reads the partition key ${partitionKey}`,
    'Give the value itself: what is stored has a suffix.',
  )
}
