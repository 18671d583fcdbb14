import {
  type BoundUpdate,
  bindUpdate,
  type Item,
  Placeholders,
  parseUpdate,
  type UpdateAst,
  updatePaths,
} from '@isotherm/semantics'
import { RecentlyUsedMap } from '../bounded/recently-used-map.js'
import { refuseParameter } from '../errors/refuse.js'
import type { ShardedTable } from '../options/sharded-table.js'
import type { ItemWrite } from '../sdk/item-write.js'
import { mentions } from '../sdk/placeholders.js'

/**
 * Parses an update that may name one of the attributes.
 * @throws ValidationError with the service's text
 */
export function updateNaming(
  attributes: readonly string[],
  { operation, input }: ItemWrite,
): BoundUpdate | undefined {
  if (operation !== 'UpdateItem') return undefined
  const { UpdateExpression: text, ExpressionAttributeNames: names, ExpressionAttributeValues: values } = input
  if (text === undefined || !attributes.some((attribute) => mentions(text, names, attribute)))
    return undefined
  return bindUpdate(parsed(text), new Placeholders(names, values as Item | undefined))
}

/** Applications have tens of update expressions, and use the same ones repeatedly. */
const MAX_KEPT_UPDATES = 500

const parsedUpdates = new RecentlyUsedMap<string, UpdateAst>(MAX_KEPT_UPDATES)

/** @throws ValidationError */
function parsed(expression: string): UpdateAst {
  const known = parsedUpdates.get(expression)
  if (known !== undefined) return known
  const update = parseUpdate(expression)
  parsedUpdates.set(expression, update)
  return update
}

/**
 * Checks that an update does not read the partition key, because its stored value has a suffix, which would be copied
 * into another attribute.
 * @throws IsothermError `command.parameter-unsupported`
 */
export function requireKeyUnread(
  { name, partitionKey }: Pick<ShardedTable, 'name' | 'partitionKey'>,
  operation: ItemWrite['operation'],
  update: BoundUpdate | undefined,
): void {
  const isOfKey = ([first]: readonly unknown[]) => first === partitionKey
  // A change of the key is rejected anyway: in a single write before it is sent, and in a transaction by the service.
  if (update === undefined || update.touched.some(isOfKey) || !updatePaths(update).some(isOfKey)) return
  throw refuseParameter(
    name,
    operation,
    `an UpdateExpression that reads the partition key ${partitionKey}`,
    'Give the value itself: what is stored has a suffix.',
  )
}
