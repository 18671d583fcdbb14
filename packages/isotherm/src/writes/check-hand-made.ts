import { invalidOption } from '../options/check.js'
import type { DynamicShards, FixedShards } from '../scaling/shards.js'
import type { HandMade } from './hand-made.js'

/** The options of a table with a hand-made scheme that must be compatible with it. */
export interface HandMadeTable {
  readonly partitionKey: string
  readonly sortKey?: string | undefined
  readonly shards: FixedShards | DynamicShards
  readonly adopt?: unknown
  readonly delimiter?: unknown
}

/** The indexes of the table, by name. */
export type HandMadeIndexes = ReadonlyMap<string, { readonly kind: string }>

/**
 * @param placement how its items are placed
 * @param indexes the indexes of the table. Keys of sharded ones have the table's delimiter
 * @throws IsothermError `options.invalid`, which names the option
 */
export function requireHandMadeTable(
  path: string,
  placement: HandMade['placement'],
  { shards, sortKey, partitionKey, adopt, delimiter }: HandMadeTable,
  indexes: HandMadeIndexes,
): void {
  if (shards.kind === 'dynamic' || shards.changes) {
    const given = shards.kind === 'dynamic' ? 'dynamicShards' : 'fixedShards with a function'
    const cure =
      'fixedShards(n) with the number of shards that the table has: with another number, your function would look for almost every item in another shard. ' +
      'For counts that follow the load, copy the items to a table with suffix calculated'
    throw invalidOption(`${path}.shards`, given, `${cure}`)
  }
  if (placement !== 'random' && sortKey === undefined) {
    const rule = `named, or shardOf of handMade must be 'random': a shard that is calculated from ${partitionKey} alone is the same for all its items`
    throw invalidOption(`${path}.sortKey`, sortKey, rule)
  }
  if (adopt !== undefined && adopt !== false) {
    throw invalidOption(
      `${path}.adopt`,
      adopt,
      'left out with handMade, whose keys all name a shard. If the first shard is the bare key, use format and parse',
    )
  }
  if (delimiter !== undefined && ![...indexes.values()].some(({ kind }) => kind === 'sharded')) {
    throw invalidOption(`${path}.delimiter`, delimiter, 'in handMade({ delimiter }), which makes the keys')
  }
}
