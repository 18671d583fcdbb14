import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import type { IsothermMethods } from '../src/client/isotherm-methods.js'
import { CARD_KEY } from '../src/protocol/index.js'

/**
 * Makes the card of a table, which then says that any key may have an item, because a test writes items of the shard map by hand.
 * @param db another process of the table
 */
export async function listAll(
  db: DynamoDBClient & IsothermMethods,
  table: string,
  partitionKey: string,
  sort: Record<string, AttributeValue>,
): Promise<void> {
  await db.explain(new GetItemCommand({ TableName: table, Key: { [partitionKey]: { S: 'any' }, ...sort } }))
  await db.send(
    new UpdateItemCommand({
      TableName: `${table}_shard_map`,
      Key: { [partitionKey]: { S: CARD_KEY } },
      UpdateExpression: 'SET lists_all = :true',
      ConditionExpression: 'attribute_exists(settings)',
      ExpressionAttributeValues: { ':true': { BOOL: true } },
    }),
  )
}
