import type { QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import type { MoveSender } from '../attempts/move-sender.js'
import type { SuffixableKey } from '../keys/key.js'
import type { ShardedTable } from '../options/sharded-table.js'
import { MOVE_ATTRIBUTES, type StoredItem } from '../protocol/index.js'

/** Reads the items of one stored key, with the attributes that a rebuild needs. */
export async function* shardItems(
  { name, partitionKey, sortKey }: ShardedTable,
  sender: MoveSender,
  stored: SuffixableKey,
): AsyncGenerator<StoredItem> {
  const names: Record<string, string> = { '#key': partitionKey, '#moving': MOVE_ATTRIBUTES.moving }
  if (sortKey !== undefined) names['#sort'] = sortKey
  let ExclusiveStartKey: QueryCommandOutput['LastEvaluatedKey']
  do {
    const page: QueryCommandOutput = await sender.queryPage({
      TableName: name,
      KeyConditionExpression: '#key = :key',
      ProjectionExpression: Object.keys(names).join(', '),
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ':key': { ...stored } },
      ConsistentRead: true,
      ExclusiveStartKey,
    })
    yield* page.Items ?? []
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey !== undefined)
}
