import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { keyValueOf } from '../keys/item-key.js'
import { itemName } from '../keys/item-name.js'
import { keyText, type SuffixableKey } from '../keys/key.js'
import type { KeyedTable } from '../keys/keyed-table.js'
import { comparePositions } from '../queries/position.js'
import type { MergedQuery } from '../queries/query-route.js'

type Attributes = Readonly<Record<string, AttributeValue>>

/**
 * Whether an item of an index is the last one of the previous page. The cursor contains the item's old key. If the item
 * was moved between the pages, it may now sort after the cursor, because items with equal index sort keys are ordered
 * by their stored keys.
 */
export function isCursorItem(
  { options, suffix }: KeyedTable,
  { source, cursor, order }: MergedQuery,
  item: Attributes,
): boolean {
  if (cursor === undefined || options.suffix === 'none') return false
  const sort = source.sortKey === undefined ? undefined : keyValueOf(item[source.sortKey])
  if (comparePositions({ sort, shard: 0 }, cursor, { ...order, parted: false }) !== 0) return false
  const { partitionKey, sortKey } = options
  if (itemName(namesOf(sortKey), item) !== itemName(namesOf(sortKey), cursor.key)) return false
  const [here, there] = [item, cursor.key].map(({ [partitionKey]: value }) =>
    value?.S === undefined && value?.B === undefined ? undefined : suffix.strip(value as SuffixableKey),
  )
  return here !== undefined && there !== undefined && keyText(here.logical) === keyText(there.logical)
}

function namesOf(sortKey: string | undefined): readonly string[] {
  return sortKey === undefined ? [] : [sortKey]
}
