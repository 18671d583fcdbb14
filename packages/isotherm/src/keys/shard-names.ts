import type { LogicalKey, PhysicalKey, SuffixableKey } from './key.js'

/** The logical key and the shard of a physical key. */
export interface SuffixedKey {
  readonly logical: LogicalKey
  readonly shard: number
}

/** The texts between which all shards of a logical key are stored: the key and one of these texts, both inclusive. */
export interface SuffixRange {
  readonly first: string
  readonly last: string
  /** A text that is added to exactly one shard of a key. */
  readonly any: string
}

/** How the stored keys of one table are made of logical keys and shards. */
export interface ShardNames {
  /**
   * The range of the suffixes. `undefined` where a stored key does not begin with its logical key. Then the order of
   * stored keys says nothing about the order of logical keys.
   */
  readonly suffixes: SuffixRange | undefined
  /**
   * @throws IsothermError `key.too-long` when the stored key exceeds DynamoDB's limit, `key.ambiguous` when the logical
   * key could be a shard of another key
   */
  add(logical: LogicalKey, shard: number): PhysicalKey
  /** @returns `undefined` for a key that is not a shard of any logical key of this table */
  strip(physical: SuffixableKey): SuffixedKey | undefined
  /** Whether `add` accepts the logical key. */
  accepts(logical: SuffixableKey): boolean
  /** Whether the stored key of the shard is short enough for DynamoDB. No item is in a shard without room. */
  hasRoom(logical: LogicalKey, shard: number): boolean
  /**
   * Requires room in every shard that a new key has. A write that may create an item calls it, because the same key would otherwise be
   * accepted for some items and refused for others. Items of earlier builds, and requests that create nothing, need room in their own
   * shards only.
   * @throws IsothermError `key.too-long`
   */
  requireRoom(logical: LogicalKey): void
}
