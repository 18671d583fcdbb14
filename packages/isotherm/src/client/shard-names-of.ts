import type { ShardNames } from '../keys/shard-names.js'
import { Suffix } from '../keys/suffix.js'
import type { ParsedTable } from './parsed-options.js'

/** The names of the table's shards, by its options. */
export function shardNamesOf({
  name,
  delimiter,
  adopt,
  handMade,
  shards,
}: Pick<ParsedTable, 'name' | 'delimiter' | 'adopt' | 'handMade' | 'shards'>): ShardNames {
  if (handMade !== undefined) return handMade.open(name, shards)
  return new Suffix(name, delimiter, adopt, firstCountOf(shards))
}

/** A count that a function returns is known with the first request only. */
function firstCountOf(shards: ParsedTable['shards']): number {
  if (shards.kind === 'dynamic') return shards.initial
  return shards.changes ? 1 : shards.count()
}
