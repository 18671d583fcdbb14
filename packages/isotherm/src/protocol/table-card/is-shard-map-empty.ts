import { ScanCommand } from '@aws-sdk/client-dynamodb'
import type { LogicalKey } from '../../keys/key.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'
import { guardedByMap } from './missing-shard-map.js'
import { keyLike, OWN_KEYS } from './own-keys.js'

/** The most items that are looked at once, to find out whether there is one of a key. */
const MAX_LOOKED_AT = 1_000

/**
 * Whether the shard map has no item of a key. The counts of indexes have other names, and need no card. If there are very many, or
 * without the right to look, it counts as one with items.
 */
export async function isShardMapEmpty(
  { options, client }: { readonly options: ShardedTable; readonly client: PhysicalClient },
  like: LogicalKey,
): Promise<boolean> {
  const command = new ScanCommand({
    TableName: options.shardMap,
    Limit: MAX_LOOKED_AT,
    ConsistentRead: true,
    FilterExpression: 'NOT begins_with(#key, :own)',
    ExpressionAttributeNames: { '#key': options.partitionKey },
    ExpressionAttributeValues: { ':own': keyLike(like, OWN_KEYS) },
  })
  try {
    const { Items = [], LastEvaluatedKey } = await guardedByMap(options, () => client.send(command))
    return Items.length === 0 && LastEvaluatedKey === undefined
  } catch (error) {
    if (error instanceof Error && error.name === 'AccessDeniedException') return false
    throw error
  }
}
