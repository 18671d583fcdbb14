import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { Attributes } from './item-operations.js'
import { untilAnswered } from './until-answered.js'

/** Of one reading; a cursor that goes round in circles would have more. */
const MAX_PAGES = 5_000

/** Everything that a query answers, page by page; a page that fails is asked for again. */
export async function everyItem(
  process: Process,
  db: DynamoDBClient,
  input: QueryCommandInput,
): Promise<readonly Attributes[]> {
  const items: Attributes[] = []
  let cursor: Attributes | undefined
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const command = () => new QueryCommand({ ...input, ExclusiveStartKey: cursor })
    const page = await untilAnswered(process, () => db.send(command()))
    items.push(...(page.Items ?? []))
    cursor = page.LastEvaluatedKey
    if (cursor === undefined) return items
  }
  throw new Violation('a reading ends', `${process.name} has read ${MAX_PAGES} pages of ${input.TableName}`)
}

/** Everything under one key of a table, consistently. */
export function everyItemOf(
  process: Process,
  db: DynamoDBClient,
  {
    table,
    partitionKey,
    key,
  }: { readonly table: string; readonly partitionKey: string; readonly key: string },
): Promise<readonly Attributes[]> {
  return everyItem(process, db, {
    TableName: table,
    KeyConditionExpression: '#key = :key',
    ExpressionAttributeNames: { '#key': partitionKey },
    ExpressionAttributeValues: { ':key': { S: key } },
    ConsistentRead: true,
  })
}
