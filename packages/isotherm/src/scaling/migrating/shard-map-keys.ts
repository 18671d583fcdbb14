import type { PacedSender } from '../../attempts/pages-of.js'
import { pagesOf } from '../../attempts/pages-of.js'
import { keyText, type LogicalKey, type SuffixableKey } from '../../keys/key.js'
import { type MovingTable, OWN_KEYS } from '../../protocol/index.js'

/** The logical keys that have an item in the shard map. */
export async function* shardMapKeys(
  { options: { shardMap, partitionKey } }: MovingTable,
  paced: PacedSender,
  signal: AbortSignal,
): AsyncGenerator<LogicalKey> {
  const input = {
    TableName: shardMap,
    ProjectionExpression: '#key',
    ExpressionAttributeNames: { '#key': partitionKey },
    ConsistentRead: true,
  }
  for await (const { Items = [] } of pagesOf(paced, input, signal)) {
    for (const item of Items) {
      const key = item[partitionKey]
      if (key?.S === undefined && key?.B === undefined) continue
      const logical = key as SuffixableKey as LogicalKey
      // The others are the card, and the counts of indexes.
      if (!keyText(logical).startsWith(OWN_KEYS)) yield logical
    }
  }
}
