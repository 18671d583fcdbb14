import type { ShardedTable } from '../../client/parse-options.js'

/** Whether items of the table are ever moved from shard to shard. If not, no write has to look out for it. */
export function itemsMayMove({ shards }: Pick<ShardedTable, 'shards'>): boolean {
  return shards.kind === 'dynamic'
}
