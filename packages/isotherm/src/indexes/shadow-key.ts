import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { KeyValue } from '@isotherm/semantics'
import { canonicalKeyValue } from '../keys/item-key.js'
import type { LogicalKey, SuffixableKey } from '../keys/key.js'
import { Suffix } from '../keys/suffix.js'
import type { ShardedTable } from '../options/sharded-table.js'
import { jump, placeHash } from '../protocol/index.js'
import type { ShardedIndex } from './index-options.js'

/** Converts between the key in a query of an index and the key that the index has in DynamoDB. */
export class ShadowKey {
  /** The index with this key. */
  readonly index: ShardedIndex
  readonly #suffix: Suffix

  constructor({ name, delimiter }: Pick<ShardedTable, 'name' | 'delimiter'>, index: ShardedIndex) {
    this.index = index
    // Never adopted. Only the library fills the index, so its first shard has a number too.
    this.#suffix = new Suffix(name, delimiter, false)
  }

  /**
   * The index's partition key attributes in DynamoDB for a value in a shard: either one attribute, or the value and the
   * shard.
   */
  attributes(value: KeyValue, shard: number): Record<string, AttributeValue> {
    const { partitionKey, shard: place } = this.index
    return place.in === 'attribute'
      ? { [partitionKey]: { ...value }, [place.attribute]: shardNumber(shard) }
      : { [place.attribute]: this.text(value, shard) }
  }

  /** The value and the shard in one attribute. */
  text(value: KeyValue, shard: number): AttributeValue {
    return { ...this.#suffix.add(textOf(value), shard) }
  }

  /** Whether the index's key is short enough for DynamoDB in the shard. No entry is in a shard without room. */
  hasRoom(value: KeyValue, shard: number): boolean {
    return this.index.shard.in === 'attribute' || this.#suffix.hasRoom(textOf(value), shard)
  }

  /**
   * Requires room in every shard that a value has from the beginning. Otherwise the value would be accepted for some items and refused for
   * others.
   * @throws IsothermError `key.too-long`
   */
  requireRoom(value: KeyValue): void {
    const { shard, shards } = this.index
    if (shard.in === 'attribute') return
    this.#suffix.requireRoom(textOf(value), shards.kind === 'fixed' ? shards.count() : shards.initial)
  }

  /** Whether a write has to know the value. Otherwise the shard is the same for all values. */
  get dependsOnValue(): boolean {
    const { shard, shards } = this.index
    return shard.in === 'shadow-key' || shards.kind === 'dynamic'
  }

  /** The value as the index has it in its key. */
  storedValue(value: KeyValue): KeyValue {
    return this.index.shard.in === 'attribute' ? canonicalKeyValue(value) : textOf(value)
  }

  /** The shard of a stored item, or `undefined` for an attribute that the library has not written. */
  shardIn(item: Readonly<Record<string, AttributeValue>>): number | undefined {
    const { shard } = this.index
    const value = item[shard.attribute]
    if (shard.in === 'attribute') {
      const number = Number(value?.N)
      return Number.isInteger(number) && number >= 1 ? number : undefined
    }
    if (value?.S === undefined && value?.B === undefined) return undefined
    return this.#suffix.strip(value as SuffixableKey)?.shard
  }
}

/** The shard in a separate attribute. */
export function shardNumber(shard: number): AttributeValue {
  return { N: String(shard) }
}

/** A shadow key is text or bytes, so a number is written in canonical form. */
function textOf(value: KeyValue): LogicalKey {
  const canonical = canonicalKeyValue(value)
  const key: SuffixableKey = 'N' in canonical ? { S: canonical.N } : canonical
  return key as LogicalKey
}

/**
 * The shard of an item in an index, calculated from its logical primary key.
 *
 * It is calculated, although queries never search an index for a single item. So a put that is repeated, or changes
 * other attributes, leaves the index entry in place, and an update does not need to know the stored item. With a random
 * shard, each put of an existing item would cause two writes to the index: deleting the old entry and adding the new
 * one. Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html (Write capacity units)
 *
 * @param key partition key and sort key, in canonical form
 */
export function indexShard(key: readonly KeyValue[], shards: number): number {
  return jump(placeHash(key), shards) + 1
}
