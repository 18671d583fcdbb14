import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { KeyValue } from '@isotherm/semantics'
import { canonicalKeyValue } from '../keys/item-key.js'
import type { LogicalKey, SuffixableKey } from '../keys/key.js'
import { Suffix } from '../keys/suffix.js'
import type { ShardedTable } from '../options/sharded-table.js'
import type { ShardedIndex } from './index-options.js'

/** Between the key that an index is asked for and the key that it has in DynamoDB. */
export class ShadowKey {
  /** The index that it is the key of. */
  readonly index: ShardedIndex
  readonly #suffix: Suffix

  constructor({ name, delimiter }: Pick<ShardedTable, 'name' | 'delimiter'>, index: ShardedIndex) {
    this.index = index
    // Never adopted: an index is filled by the library alone, so the first shard has its number too.
    this.#suffix = new Suffix(name, delimiter, false)
  }

  /** The index's partition key in DynamoDB for a value in a shard: one attribute, or the value and the shard. */
  attributes(value: KeyValue, shard: number): Record<string, AttributeValue> {
    const { partitionKey, shard: place } = this.index
    return place.in === 'attribute'
      ? { [partitionKey]: { ...value }, [place.attribute]: shardNumber(shard) }
      : { [place.attribute]: this.text(value, shard) }
  }

  /** The value and the shard in one. */
  text(value: KeyValue, shard: number): AttributeValue {
    return { ...this.#suffix.add(textOf(value), shard) }
  }
}

/** The shard, where it has an attribute of its own. */
export function shardNumber(shard: number): AttributeValue {
  return { N: String(shard) }
}

/** A shadow key is text or bytes, so a number goes by its canonical digits. */
function textOf(value: KeyValue): LogicalKey {
  const canonical = canonicalKeyValue(value)
  const key: SuffixableKey = 'N' in canonical ? { S: canonical.N } : canonical
  return key as LogicalKey
}
