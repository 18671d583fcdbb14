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
  return handMade === undefined ? new Suffix(name, delimiter, adopt) : handMade.open(name, shards)
}
