import type { MoveSender } from '../attempts/move-sender.js'
import type { LogicalKey } from '../keys/key.js'
import { withEnd } from '../keys/key-end.js'
import type { StoredItem } from '../protocol/index.js'
import type { RebuiltTable } from './rebuilt-table.js'
import { shardItems } from './shard-items.js'

/**
 * In an adopted table, the first shard of a key is the key itself. Yields the items under the number 1 of a key with later shards, if the
 * key itself has no item. Then the shards were numbered from 1, without `adopt`, and these items would not be found.
 */
export async function* numberedFirstShard(
  { options }: RebuiltTable,
  sender: MoveSender,
  key: LogicalKey,
): AsyncGenerator<StoredItem> {
  if (!options.adopt) return
  for await (const _item of shardItems(options, sender, key)) return
  yield* shardItems(options, sender, withEnd(key, `${options.delimiter}1`))
}
