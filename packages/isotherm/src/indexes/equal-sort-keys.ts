import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { bytesAsText, type KeyValue, neighbourKeyValue } from '@isotherm/semantics'
import { keyValueOf } from '../keys/item-key.js'
import { itemName } from '../keys/item-name.js'
import { keyText, type SuffixableKey } from '../keys/key.js'
import type { KeyedTable } from '../keys/keyed-table.js'
import type { CopyFilter } from '../queries/copy-filter.js'
import { comparePositions, type PlacedItem } from '../queries/position.js'
import type { EqualSortKeys, MergedQuery } from '../queries/query-route.js'
import type { QuerySource } from '../queries/query-source.js'
import { after, from, type SortRange } from '../queries/sort-range.js'

type Attributes = Readonly<Record<string, AttributeValue>>

/**
 * Whether an item of an index is the last one of the previous page. The cursor contains the item's old key. If the item
 * was moved between the pages, it may now sort after the cursor, because items with equal index sort keys are ordered
 * by their stored keys.
 */
function isCursorItem(
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

/**
 * A copy filter for indexes, where many items may have the same position. They are identified by their keys, without
 * the shard.
 */
class IndexCopyFilter implements CopyFilter {
  readonly #attributes: readonly string[]
  readonly #seen = new Set<string>()

  constructor({ keyAttributes }: QuerySource, partitionKey: string) {
    this.#attributes = keyAttributes.filter((attribute) => attribute !== partitionKey)
  }

  without(items: readonly PlacedItem[]): readonly PlacedItem[] {
    return items.filter((item) => this.#isNew(item))
  }

  #isNew({ item }: PlacedItem): boolean {
    const name = JSON.stringify(this.#attributes.map((attribute) => textOf(item[attribute])))
    if (this.#seen.has(name)) return false
    this.#seen.add(name)
    return true
  }
}

function textOf(value: AttributeValue | undefined): unknown {
  return value?.B === undefined ? value : { B: bytesAsText(value.B) }
}

/**
 * The part of the range after one of its sort keys, in a form that a request can express: the only condition with two
 * bounds is BETWEEN, which is inclusive. A range from the sort key itself would read all items with that sort key again
 * for every page, and with a filter could end before the previous page. So the range begins at the next possible key.
 *
 * @returns `undefined` when nothing is left
 */
function rangeBehind(range: SortRange, value: KeyValue, direction: 1 | -1): SortRange | undefined {
  const end = direction === 1 ? range.upper : range.lower
  if (end === undefined) return after(range, value, direction)
  const neighbour = neighbourKeyValue(value, direction)
  return neighbour && from(range, neighbour, direction)
}

/** Indexes, where many items of a shard may have the same sort key. */
export const EQUAL_SORT_KEYS: EqualSortKeys = {
  isCursorItem,
  copyFilter: (source, partitionKey) => new IndexCopyFilter(source, partitionKey),
  rangeBehind,
}
