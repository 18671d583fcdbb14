import type { ShardedTable } from '../options/parse-options.js'

/** Whether items of the table are ever moved from shard to shard. If not, no write has to look out for it. */
export function itemsMayMove({
  shards,
  transactions,
}: Pick<ShardedTable, 'shards' | 'transactions'>): boolean {
  return shards.kind === 'dynamic' && transactions
}
