import { invalidOption, refuseUnknown, requireObject, requireText } from '../options/check.js'
import type { FixedShards } from '../scaling/shards.js'

/**
 * A global secondary index with few distinct keys, whose writes are spread over shards of each key.
 *
 * The index's own partition key in DynamoDB is not `partitionKey` but the shadow key, which the library writes beside it:
 * for `status` `open` in shard 3 the text `open_3`. Where the index has a key of several attributes, it is `partitionKey`
 * and `shardAttribute`, a number, in this order.
 */
export interface ShardedIndexOptions {
  /** The attribute that queries of the index ask for, such as `status`. */
  readonly partitionKey: string
  /** The index's sort key, if it has one. */
  readonly sortKey?: string
  /** `fixedShards(n)`. It may grow; before it shrinks, items in the shards above must be written again. */
  readonly shards: FixedShards
  /** Attribute that is the index's partition key in DynamoDB. Default `isotherm_<index>`. */
  readonly shadowKey?: string
  /** Second attribute of the index's partition key in DynamoDB, holding the shard's number. Instead of `shadowKey`. */
  readonly shardAttribute?: string
}

/**
 * An index whose partition key is the table's: a local secondary index, or a global one with another sort key. Its queries
 * are scattered over the shards of the table's key.
 */
export interface CoveringIndexOptions {
  /** The index's sort key. */
  readonly sortKey: string
}

/** The indexes of a table, as its options name them. */
export interface TableIndexOptions {
  /**
   * The indexes that queries are scattered for, by name: those whose own keys are sharded, and those under the table's
   * partition key. Any other index is asked as it is.
   */
  readonly indexes?: { readonly [index: string]: ShardedIndexOptions | CoveringIndexOptions }
  /**
   * Global secondary indexes with the table's own keys, projecting everything: eventually consistent queries are spread
   * over the table and these.
   */
  readonly readReplicas?: readonly string[]
}

/** An index whose items are spread over shards of the index's own key. */
export interface ShardedIndex {
  readonly kind: 'sharded'
  readonly name: string
  readonly partitionKey: string
  readonly sortKey: string | undefined
  readonly shards: FixedShards
  /** Where the shard stands: in a value together with the key, or in an attribute of its own. */
  readonly shard: { readonly in: 'shadow-key' | 'attribute'; readonly attribute: string }
}

/** An index under the table's partition key. */
interface CoveringIndex {
  readonly kind: 'covering'
  readonly name: string
  readonly sortKey: string
}

export type KnownIndex = ShardedIndex | CoveringIndex

/** The table that indexes are of. */
export interface IndexOwner {
  readonly partitionKey: string
  readonly sortKey: string | undefined
  /** Whether its own partition key is. */
  readonly isSharded: boolean
}

/** What the options of one table say of its indexes. */
export interface TableIndexes {
  readonly indexes: ReadonlyMap<string, KnownIndex>
  readonly readReplicas: readonly string[]
  /** Attributes that the library adds to items for the indexes' sake, and never shows. */
  readonly hiddenAttributes: readonly string[]
}

export type ParseIndexes = (path: string, table: TableIndexOptions, owner: IndexOwner) => TableIndexes

/** @throws IsothermError `options.unknown` or `options.invalid`, naming the option */
export const parseTableIndexes: ParseIndexes = (path, table, owner) => {
  const indexes = parseIndexes(`${path}.indexes`, table.indexes, owner)
  return {
    indexes,
    readReplicas: parseReadReplicas(`${path}.readReplicas`, table.readReplicas, indexes),
    hiddenAttributes: indexAttributes(indexes),
  }
}

/** @throws IsothermError `options.unknown` or `options.invalid`, naming the option */
export function parseIndexes(
  path: string,
  indexes: Readonly<Record<string, ShardedIndexOptions | CoveringIndexOptions>> | undefined,
  owner: IndexOwner,
): ReadonlyMap<string, KnownIndex> {
  if (indexes === undefined) return new Map()
  requireObject(path, indexes, 'an object with a member for each index')
  const parsed = Object.entries(indexes).map(([name, index]) => parseIndex(path, name, index))
  const sharded = parsed.filter((index) => index.kind === 'sharded')
  for (const index of parsed) {
    if (index.kind === 'sharded') refuseMeetingAttributes(`${path}.${index.name}`, index, sharded, owner)
    else if (!owner.isSharded) {
      const rule =
        'an object with partitionKey and shards: the table is not sharded, so its other indexes are left out'
      throw invalidOption(`${path}.${index.name}`, indexes[index.name], rule)
    }
  }
  return new Map(parsed.map((index) => [index.name, index]))
}

/** What the library adds to an item must be nobody else's, and the same for every index that it is for. */
function refuseMeetingAttributes(
  path: string,
  index: ShardedIndex,
  all: readonly ShardedIndex[],
  { partitionKey, sortKey, isSharded }: IndexOwner,
): void {
  const option = `${path}.${index.shard.in === 'attribute' ? 'shardAttribute' : 'shadowKey'}`
  const { attribute } = index.shard
  if (isSharded && index.partitionKey === partitionKey) {
    const rule =
      "another attribute than the table's partition key, which is sharded already: leave partitionKey and shards out"
    throw invalidOption(`${path}.partitionKey`, partitionKey, rule)
  }
  const taken = [partitionKey, sortKey, ...all.flatMap((each) => [each.partitionKey, each.sortKey])]
  if (taken.includes(attribute)) {
    throw invalidOption(
      option,
      attribute,
      'the name of an attribute that is no key of the table or of an index',
    )
  }
  const differs = (other: ShardedIndex) =>
    other.shard.attribute === attribute &&
    (other.partitionKey !== index.partitionKey ||
      other.shard.in !== index.shard.in ||
      other.shards.count() !== index.shards.count())
  if (all.some(differs)) {
    const rule = 'an attribute that no other index has, but for one with the same partitionKey and shards'
    throw invalidOption(option, attribute, rule)
  }
}

/** Attributes that the library adds to items for the indexes' sake, and never shows. */
export function indexAttributes(indexes: ReadonlyMap<string, KnownIndex>): readonly string[] {
  return [...indexes.values()].flatMap((index) => (index.kind === 'sharded' ? [index.shard.attribute] : []))
}

/** @throws IsothermError `options.invalid` */
function parseReadReplicas(
  path: string,
  replicas: unknown,
  indexes: ReadonlyMap<string, KnownIndex>,
): readonly string[] {
  if (replicas === undefined) return []
  const rule = 'a list of names of global secondary indexes that have the keys of the table'
  if (!Array.isArray(replicas)) throw invalidOption(path, replicas, rule)
  const both = replicas.find((name: string) => indexes.has(name))
  if (both !== undefined) throw invalidOption(path, replicas, `without ${both}, which is in indexes`)
  return replicas.map((name) => requireText(path, name, rule))
}

function parseIndex(
  path: string,
  name: string,
  index: ShardedIndexOptions | CoveringIndexOptions,
): KnownIndex {
  const option = `${path}.${name}`
  requireObject(option, index, 'an object with partitionKey and shards, or with sortKey alone')
  if (!isSharded(index)) {
    refuseUnknown(option, index, ['sortKey'])
    return { kind: 'covering', name, sortKey: requireText(`${option}.sortKey`, index.sortKey, 'a name') }
  }
  refuseUnknown(option, index, ['partitionKey', 'sortKey', 'shards', 'shadowKey', 'shardAttribute'])
  const { sortKey, shards, shadowKey, shardAttribute } = index
  if (shards?.kind !== 'fixed') throw invalidOption(`${option}.shards`, shards, 'fixedShards(n)')
  if (shadowKey !== undefined && shardAttribute !== undefined) {
    throw invalidOption(`${option}.shadowKey`, shadowKey, 'left out beside shardAttribute')
  }
  return {
    kind: 'sharded',
    name,
    partitionKey: requireText(`${option}.partitionKey`, index.partitionKey, 'the name of an attribute'),
    sortKey: sortKey === undefined ? undefined : requireText(`${option}.sortKey`, sortKey, 'a name'),
    shards,
    shard:
      shardAttribute === undefined
        ? {
            in: 'shadow-key',
            attribute: requireText(`${option}.shadowKey`, shadowKey ?? `isotherm_${name}`, 'a name'),
          }
        : {
            in: 'attribute',
            attribute: requireText(`${option}.shardAttribute`, shardAttribute, 'a name'),
          },
  }
}

function isSharded(index: ShardedIndexOptions | CoveringIndexOptions): index is ShardedIndexOptions {
  return 'partitionKey' in index || 'shards' in index
}
