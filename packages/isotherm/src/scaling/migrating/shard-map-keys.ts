import type { MoveSender } from '../../attempts/move-sender.js'
import { pagesOf } from '../../attempts/pages-of.js'
import { keyText, type LogicalKey, type SuffixableKey } from '../../keys/key.js'
import { type MovingTable, OWN_KEYS } from '../../protocol/index.js'

/** A page of keys is small, so that little is in memory, and that the work can be stopped between two of them. */
const PAGE_KEYS = 1_000

/** The logical keys that have an item in the shard map, page by page. */
export async function* shardMapKeys(
  { options: { shardMap, partitionKey } }: MovingTable,
  sender: MoveSender,
  signal: AbortSignal,
): AsyncGenerator<readonly LogicalKey[]> {
  const input = {
    TableName: shardMap,
    ProjectionExpression: '#key',
    ExpressionAttributeNames: { '#key': partitionKey },
    ConsistentRead: true,
    Limit: PAGE_KEYS,
  }
  for await (const { Items = [] } of pagesOf(sender, signal, input)) {
    yield Items.flatMap((item) => {
      const key = item[partitionKey]
      if (key?.S === undefined && key?.B === undefined) return []
      const logical = key as SuffixableKey as LogicalKey
      // The others are the card, and the counts of indexes.
      return keyText(logical).startsWith(OWN_KEYS) ? [] : [logical]
    })
  }
}
