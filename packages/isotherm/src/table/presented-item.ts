import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { LogicalKey } from '../keys/key.js'
import { MOVE_ATTRIBUTES } from '../moves/move-attributes.js'
import type { ShardedTable } from '../options/parse-options.js'

const HIDDEN = Object.values(MOVE_ATTRIBUTES)

/**
 * An item as the application wrote it: under its logical key, without what the library adds for itself. In an object of its
 * own, since the one that came may belong to somebody else.
 */
export function presentedItem(
  { partitionKey }: Pick<ShardedTable, 'partitionKey'>,
  logical: LogicalKey,
  item: Readonly<Record<string, AttributeValue>>,
): Record<string, AttributeValue> {
  const shown = { ...item }
  if (Object.hasOwn(shown, partitionKey)) shown[partitionKey] = { ...logical }
  for (const attribute of HIDDEN) delete shown[attribute]
  return shown
}
