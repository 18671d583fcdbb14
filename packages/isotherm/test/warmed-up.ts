import { type DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'

/** Sends a client's first request, which reads configuration files, because virtual time cannot wait for file access. */
export async function warmedUp(client: DynamoDBClient): Promise<DynamoDBClient> {
  await client.send(new ListTablesCommand({}))
  return client
}
