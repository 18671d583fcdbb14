import {
  CreateTableCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb'
import { type Line, MONTHS, SKEWS } from './log-lines.js'
import { inWorld, type RotationOutcome } from './rotation-world.js'

/** Tables that were all made beforehand, and that stay. */
export async function rotateByHand(lines: readonly Line[]): Promise<RotationOutcome> {
  return inWorld(0, async (client, clock) => {
    const nameOf = (month: string) => `log_${month}`
    const months = Array.from({ length: MONTHS + 2 }, (_, month) => monthOf(Date.UTC(2026, 11 + month, 15)))
    for (const month of months) await client.send(tableOf(nameOf(month)))
    let misplaced = 0
    for (const { at, sentAt, writer } of lines) {
      if (sentAt > clock.now()) await clock.sleep(sentAt - clock.now())
      const month = monthOf(clock.now() + (SKEWS[writer] ?? 0) * 3_600_000)
      if (month !== at.slice(0, 7)) misplaced += 1
      const Item = { host: { S: 'web1' }, at: { S: at } }
      await client.send(new PutItemCommand({ TableName: nameOf(month), Item }))
    }
    let found = 0
    for (const month of months) found += await countOf(client, nameOf(month), month)
    return {
      written: lines.length,
      misplaced,
      found,
      refused: 0,
      archived: 0,
      archivedLines: 0,
      // They are in some table, and a query of their month does not find them.
      lost: lines.length - found,
      tables: months.length,
    }
  })
}

async function countOf(client: DynamoDBClient, TableName: string, month: string): Promise<number> {
  let count = 0
  let cursor: QueryCommand['input']['ExclusiveStartKey']
  do {
    const page = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'host = :host AND begins_with(#at, :month)',
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':host': { S: 'web1' }, ':month': { S: month } },
        ExclusiveStartKey: cursor,
      }),
    )
    count += page.Count ?? 0
    cursor = page.LastEvaluatedKey
  } while (cursor !== undefined)
  return count
}

function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7)
}

function tableOf(TableName: string): CreateTableCommand {
  return new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: 'host', KeyType: 'HASH' },
      { AttributeName: 'at', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: ['host', 'at'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S' as const,
    })),
  })
}
