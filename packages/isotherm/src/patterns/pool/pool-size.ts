import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { concurrently } from '../../bounded/concurrently.js'
import { indexShard, shardsFromAnywhere } from '../index-shards.js'
import type { StoredItem } from '../read-items.js'
import { send } from '../send.js'
import { untilTaken } from '../until-taken.js'
import type { PoolTarget } from './pool-items.js'

const SHARDS_AT_A_TIME = 8

/** Counts the entries of the index, page by page. */
export async function poolSize({ db, options }: PoolTarget): Promise<number> {
  const { table, index, indexKey, name, random, shards } = options
  let size = 0
  await concurrently(shardsFromAnywhere(random, shards), SHARDS_AT_A_TIME, async (shard) => {
    let from: StoredItem | undefined
    do {
      const input = {
        TableName: table,
        IndexName: index,
        Select: 'COUNT' as const,
        KeyConditionExpression: '#shard = :shard',
        ExpressionAttributeNames: { '#shard': indexKey },
        ExpressionAttributeValues: { ':shard': { S: indexShard(name, shard) } },
        ...(from === undefined ? {} : { ExclusiveStartKey: from }),
      }
      const page = await untilTaken(options, () => send<QueryCommandOutput>(db, new QueryCommand(input)))
      size += page.Count ?? 0
      from = page.LastEvaluatedKey
    } while (from !== undefined)
  })
  return size
}
