import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { ShardedTable } from '../client/parse-options.js'
import type { LogicalKey } from './key.js'

/**
 * An item as the application wrote it: under its logical key, without what the library adds for itself. In an object of its
 * own, since the one that came may belong to somebody else.
 */
export function presentedItem(
  { partitionKey, hiddenAttributes }: Pick<ShardedTable, 'partitionKey' | 'hiddenAttributes'>,
  logical: LogicalKey,
  item: Readonly<Record<string, AttributeValue>>,
): Record<string, AttributeValue> {
  const shown = { ...item }
  if (Object.hasOwn(shown, partitionKey)) shown[partitionKey] = { ...logical }
  for (const attribute of hiddenAttributes) delete shown[attribute]
  return shown
}
