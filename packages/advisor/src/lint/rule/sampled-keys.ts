import type { ValueCount } from '../../sample/value-counts.js'
import { type OwnedKey, partitionedKeys } from '../../table/all-keys.js'
import type { Examined } from './rule.js'

/** Fewer items say nothing about a distribution. */
const MIN_ITEMS = 50

/** A key with one partition attribute, and how its values are distributed in the sample. */
export interface SampledKey extends OwnedKey {
  readonly attribute: string
  /** Items with the attribute. */
  readonly items: number
  readonly distinct: number
  /** The most frequent value. */
  readonly top: ValueCount
}

/** The keys of which the sample has enough values. */
export function sampledKeys({ table, sample }: Examined): readonly SampledKey[] {
  if (sample === undefined || sample.items < MIN_ITEMS) return []
  return partitionedKeys(table).flatMap((owned) => {
    const [attribute, ...more] = owned.key.partition
    if (attribute === undefined || more.length > 0) return []
    const items = sample.itemsWith(attribute.name)
    const [top] = sample.mostFrequent(attribute.name, 1)
    if (top === undefined || items < MIN_ITEMS) return []
    return [{ ...owned, attribute: attribute.name, items, distinct: sample.distinct(attribute.name), top }]
  })
}
