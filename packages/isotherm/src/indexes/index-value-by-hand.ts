import type { KeyValue } from '@isotherm/semantics'
import { IsothermError } from '../errors/isotherm-error.js'
import { canonicalKeyValue } from '../keys/item-key.js'
import { invalidOption } from '../options/check.js'
import { INDEX_KEY_PREFIX, isIndexKey } from './index-key.js'
import type { IndexKeyShards } from './index-key-shards.js'
import { ShadowKey } from './shadow-key.js'
import type { TableWithIndexes } from './table-with-indexes.js'

/**
 * Returns the result of `db.shards(table, value, { index })`.
 * @throws IsothermError `options.invalid` for an unknown index or an invalid value; `shards.fixed` if the index has one
 * count for all values
 */
export function indexValueByHand(table: TableWithIndexes, name: unknown, value: unknown): IndexKeyShards {
  const sharded = [...table.indexes.values()].filter((index) => index.kind === 'sharded')
  const index = sharded.find((each) => each.name === name)
  if (index === undefined) {
    const known = sharded.map((each) => each.name).join(', ')
    throw invalidOption('shards(index)', name, `a sharded index of ${table.options.name}: ${known}`)
  }
  const counts = table.indexCounts.get(index.shard.attribute)
  if (counts === undefined) {
    throw new IsothermError(
      'shards.fixed',
      `The index ${index.name} of ${table.options.name} has fixedShards, one count for all values, which is changed in the options. Give it dynamicShards({ ... }) to have a count for each value.`,
      { table: table.options.name },
    )
  }
  return counts.byHand(new ShadowKey(table.options, index).storedValue(keyValueOf(value)))
}

/**
 * Rejects the key of an index's counts as a logical key of the table. A drain of it would make queries of the index
 * forget shards.
 * @throws IsothermError `options.invalid`
 */
export function refuseIndexKey(key: unknown): void {
  if (typeof key !== 'string' || !isIndexKey({ S: key })) return
  const rule = `the logical key of a table, which does not begin with ${INDEX_KEY_PREFIX}: shards(table, value, { index }) is for the values of an index`
  throw invalidOption('shards(key)', key, rule)
}

function keyValueOf(value: unknown): KeyValue {
  if (typeof value === 'string' && value !== '') return { S: value }
  if (typeof value === 'number' && Number.isFinite(value)) return canonicalKeyValue({ N: String(value) })
  if (value instanceof Uint8Array && value.length > 0) return { B: value }
  throw invalidOption('shards(key)', value, "a value of the index's key: text, a number, or bytes, not empty")
}
