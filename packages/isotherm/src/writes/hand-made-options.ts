import type { NameFunctions, ParsedKey } from '../keys/function-names.js'
import type { ShardOf } from './own-place.js'

/** What all schemes have in common. */
export interface HandMadeScheme {
  /** A name of your choice, which errors and reports show. */
  readonly name: string
  /**
   * Returns the shard of an item as its stored key names it: its number, or its label. With `format`, the number that
   * `format` gets. It must always return the same for the same key.
   *
   * `'random'` if the shard cannot be calculated from the primary key, because the writers drew it or calculated it from
   * other attributes. Reads of single items then ask every shard.
   */
  readonly shardOf: 'random' | ShardOf
  /**
   * Whether requests may have logical keys that look like stored keys. The default is `false`: such a request probably
   * comes from code that still adds the shard itself, and is rejected with `key.ambiguous`.
   */
  readonly acceptLookalikes?: boolean | undefined
}

/** A constant text for each shard. */
export interface ListedShards {
  /** The text between the logical key and the shard, up to 16 characters. It may be empty. */
  readonly delimiter: string
  /** Whether the shard is behind the logical key or in front of it. The default is `'suffix'`. */
  readonly position?: 'suffix' | 'prefix' | undefined
  readonly format?: undefined
  readonly parse?: undefined
}

/** Numbered shards. */
export interface NumberedShards extends ListedShards {
  /** The number of the first shard. The default is 1. */
  readonly first?: number | undefined
  /** The minimum number of digits, 1 to 9. Shorter numbers have leading zeros. The default is 1. */
  readonly digits?: number | undefined
  readonly labels?: undefined
}

/** Shards with labels, such as letters. */
export interface LabelledShards extends ListedShards {
  /** The label of each shard, as many as the table has shards. */
  readonly labels: readonly string[]
  readonly first?: undefined
  readonly digits?: undefined
}

/** Stored keys that only functions can make. */
export interface FormattedShards {
  /** Returns the stored key of a logical key and a shard, numbered from 1. */
  readonly format: NameFunctions['format']
  /** Returns the logical key and the shard of a stored key, or `undefined` for a key of something else. */
  readonly parse: (stored: string) => ParsedKey | undefined
  readonly delimiter?: undefined
  readonly position?: undefined
  readonly first?: undefined
  readonly digits?: undefined
  readonly labels?: undefined
}

/** Options of `handMade`. */
export type HandMadeOptions = HandMadeScheme & (NumberedShards | LabelledShards | FormattedShards)
