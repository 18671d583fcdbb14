import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { RecentlyUsedMap } from '../bounded/recently-used-map.js'
import { itemName } from '../keys/item-name.js'
import type { KeyedTable } from '../keys/keyed-table.js'
import type { ShardedTable } from '../options/sharded-table.js'

/** Enough for the open pages of one process. A forgotten key costs a read of its item. */
const MAX_GIVEN_KEYS = 1_000

const given = new WeakMap<ShardedTable, RecentlyUsedMap<string, number>>()

/** Notes a `LastEvaluatedKey` of this process. As a start key, it is known to be stored, and its item is not looked for. */
export function noteGivenKey({ options }: KeyedTable, key: Record<string, AttributeValue> | undefined): void {
  if (key === undefined) return
  const known = given.get(options) ?? new RecentlyUsedMap(MAX_GIVEN_KEYS)
  known.set(nameOf(key), 1)
  given.set(options, known)
}

export function isGivenKey({ options }: KeyedTable, key: Record<string, AttributeValue>): boolean {
  return given.get(options)?.get(nameOf(key)) !== undefined
}

function nameOf(key: Record<string, AttributeValue>): string {
  const names = Object.keys(key).sort()
  return names.join() + itemName(names, key)
}
