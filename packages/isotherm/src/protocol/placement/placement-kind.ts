import type { ShardedTable } from '../../client/parse-options.js'

/** What tells the shard of an item. `bare`: nothing, since the table's own keys are not sharded, only its indexes. */
export type PlacementKind = 'bare' | 'random' | 'calculated'

export function placementKindOf({ suffix }: Pick<ShardedTable, 'suffix'>): PlacementKind {
  if (suffix === 'none') return 'bare'
  return suffix === 'random' ? 'random' : 'calculated'
}
