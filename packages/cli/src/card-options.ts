import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { dynamicShards, optionsOnCard, type ShardedTableOptions } from 'isotherm'

/** Which table's card is read. */
export interface CardOptionsRequest {
  readonly table: string
  readonly shardMap?: string
}

/**
 * The options of a table, from the card in its shard map; `undefined` without a card.
 *
 * The options of an adopted table begin with one shard, also when the table has been migrated to another count: the
 * count of the card is what holds.
 */
export async function cardOptions(
  client: DynamoDBClient,
  request: CardOptionsRequest,
): Promise<ShardedTableOptions | undefined> {
  const options = await optionsOnCard(client, request)
  if (options?.adopt !== true) return options
  return { ...options, shards: dynamicShards({ max: 1_000, quiet: false }) }
}
