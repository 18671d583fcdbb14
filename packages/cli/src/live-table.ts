import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb'
import { readTables, type TableDefinition } from '@isotherm/advisor'
import { endpointFailure } from './endpoint-failure.js'

/**
 * The definition of a table as the service describes it.
 * @throws CommandError if there is no such table, or no permission to describe it
 */
export async function liveTable(
  client: DynamoDBClient,
  table: string,
  signal: AbortSignal,
): Promise<TableDefinition> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: table }), {
      abortSignal: signal,
    })
    const text = JSON.stringify({
      ...Table,
      TimeToLiveDescription: await timeToLiveOf(client, table, signal),
    })
    const [definition] = readTables(text, table)
    if (definition === undefined) throw new Error('DescribeTable returned no key.')
    return { ...definition, place: {} }
  } catch (cause) {
    signal.throwIfAborted()
    throw endpointFailure(`The table ${table} cannot be described`, cause)
  }
}

/** Other engines may not have it, and policies may forbid it. */
async function timeToLiveOf(client: DynamoDBClient, table: string, signal: AbortSignal): Promise<object> {
  try {
    const command = new DescribeTimeToLiveCommand({ TableName: table })
    const { TimeToLiveDescription = {} } = await client.send(command, { abortSignal: signal })
    return TimeToLiveDescription
  } catch {
    signal.throwIfAborted()
    return {}
  }
}
