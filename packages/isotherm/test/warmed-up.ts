import { type DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'

/** Sends a client's first request, which looks for its configuration in files: virtual time cannot wait for them. */
export async function warmedUp(client: DynamoDBClient): Promise<DynamoDBClient> {
  await client.send(new ListTablesCommand({}))
  return client
}
