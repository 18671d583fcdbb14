import { invalidOption, refuseUnknown, requireObject, requireText } from '../options/check.js'
import { TAKEN_KEY_NAMES } from '../protocol/index.js'
import type { DynamicShards, FixedShards } from '../scaling/shards.js'

/**
 * Options of a global secondary index with few distinct keys, whose writes are distributed over shards of each key.
 *
 * In DynamoDB, the index's partition key is not `partitionKey` but the shadow key, which the library adds to each item:
 * for `status` `open` in shard 3, it is the text `open_3`. An index whose key has several attributes has `partitionKey`
 * and `shardAttribute`, a number, in this order.
 */
export interface ShardedIndexOptions {
  /** The attribute in queries of the index, such as `status`. */
  readonly partitionKey: string
  /** The index's sort key, if it has one. */
  readonly sortKey?: string | undefined
  /**
   * The number of shards: `fixedShards(n)`, or `dynamicShards({ ... })` for a number of its own for each value, which
   * grows when a partition of the index throttles the table's writes.
   *
   * You can increase a fixed number, first in the processes that query the index. Processes with the former number miss
   * entries in the added shards. Before you decrease it, write the items in the higher shards again. To
   * change from a fixed number to a dynamic one, begin with `dynamicShards({ initial: n, max: n })` in every process,
   * and raise `max` afterwards.
   */
  readonly shards: FixedShards | DynamicShards
  /** The attribute that is the index's partition key in DynamoDB. The default is `isotherm_<index>`. */
  readonly shadowKey?: string | undefined
  /**
   * The second attribute of the index's partition key in DynamoDB, a number that contains the shard. Use it instead of
   * `shadowKey`.
   */
  readonly shardAttribute?: string | undefined
}

/**
 * Options of an index with the table's partition key: a local secondary index, or a global one with another sort key.
 * Its queries read all shards of the table's key.
 */
export interface CoveringIndexOptions {
  /**
   * The index's sort key. The table's partition key means an inverted index: its partition key is the table's sort key,
   * and its items are returned in the order of logical keys.
   */
  readonly sortKey: string
}

/** The index options of a table. */
export interface TableIndexOptions {
  /**
   * The indexes whose queries read several shards, by name: indexes with sharded keys, and indexes with the table's
   * partition key. Queries of other indexes are sent unchanged.
   */
  readonly indexes?: { readonly [index: string]: ShardedIndexOptions | CoveringIndexOptions } | undefined
  /**
   * Names of global secondary indexes with the table's own keys and all attributes. Eventually consistent queries are
   * distributed over the table and these indexes.
   */
  readonly readReplicas?: readonly string[] | undefined
}

/** An index whose items are distributed over shards of the index's own key. */
export interface ShardedIndex {
  readonly kind: 'sharded'
  readonly name: string
  readonly partitionKey: string
  readonly sortKey: string | undefined
  readonly shards: FixedShards | DynamicShards
  /** Where the shard is stored: in one value together with the key, or in a separate attribute. */
  readonly shard: { readonly in: 'shadow-key' | 'attribute'; readonly attribute: string }
}

/** An index with the table's partition key. */
interface CoveringIndex {
  readonly kind: 'covering'
  readonly name: string
  readonly sortKey: string
}

export type KnownIndex = ShardedIndex | CoveringIndex

/** The table of the indexes. */
export interface IndexOwner {
  readonly partitionKey: string
  readonly sortKey: string | undefined
  /** Whether the table's own partition key is sharded. */
  readonly isSharded: boolean
}

/** The parsed options of one table's indexes. */
export interface TableIndexes {
  readonly indexes: ReadonlyMap<string, KnownIndex>
  readonly readReplicas: readonly string[]
  /** Attributes that the library adds to items for indexes, and never returns. */
  readonly hiddenAttributes: readonly string[]
}

export type ParseIndexes = (path: string, table: TableIndexOptions, owner: IndexOwner) => TableIndexes

/** @throws IsothermError `options.unknown` or `options.invalid`, which name the option */
export const parseTableIndexes: ParseIndexes = (path, table, owner) => {
  const indexes = parseIndexes(`${path}.indexes`, table.indexes, owner)
  return {
    indexes,
    readReplicas: parseReadReplicas(`${path}.readReplicas`, table.readReplicas, indexes),
    hiddenAttributes: indexAttributes(indexes),
  }
}

/** @throws IsothermError `options.unknown` or `options.invalid`, which name the option */
export function parseIndexes(
  path: string,
  indexes: Readonly<Record<string, ShardedIndexOptions | CoveringIndexOptions>> | undefined,
  owner: IndexOwner,
): ReadonlyMap<string, KnownIndex> {
  if (indexes === undefined) return new Map()
  requireObject(path, indexes, 'an object with a member for each index')
  const parsed = Object.entries(indexes).map(([name, index]) => parseIndex(path, name, index))
  const sharded = parsed.filter((index) => index.kind === 'sharded')
  const isCounted = sharded.some(({ shards }) => shards.kind === 'dynamic')
  if (isCounted && TAKEN_KEY_NAMES.includes(owner.partitionKey)) {
    const rule = 'of a table whose partition key has a name that the shard map does not use itself'
    throw invalidOption(path, owner.partitionKey, rule)
  }
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

/** Rejects an added attribute that something else uses, or that differs between the indexes that share it. */
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
      !haveSameShards(other, index))
  if (all.some(differs)) {
    const rule =
      'an attribute that no other index has, but for one with the same partitionKey and shards, which is the same value in case of dynamicShards'
    throw invalidOption(option, attribute, rule)
  }
}

function haveSameShards({ shards: one }: ShardedIndex, { shards: other }: ShardedIndex): boolean {
  if (one === other) return true
  return one.kind === 'fixed' && other.kind === 'fixed' && one.count() === other.count()
}

/** Attributes that the library adds to items for indexes, and never returns. */
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
  if (shards?.kind !== 'fixed' && shards?.kind !== 'dynamic') {
    throw invalidOption(`${option}.shards`, shards, 'fixedShards(n) or dynamicShards({ ... })')
  }
  if (shards.kind === 'dynamic' && shards.reads !== undefined) {
    const rule = 'left out: reads of an index add no shards to its values'
    throw invalidOption(`${option}.shards.reads`, shards.reads.kind, rule)
  }
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
