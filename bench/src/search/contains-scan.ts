import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  QueryCommand,
} from '@aws-sdk/client-dynamodb'
import { companyName, plainText } from 'isotherm/search'
import type { ContactRow } from './contact-rows.js'
import type { MeasuredEngine } from './measured-engine.js'

const TABLE = 'plain_contacts'
const BATCH = 25

/** The same contacts under the key of their tenant, with their normalized texts: for DynamoDB's own `contains`. */
export async function loadPlain(engine: MeasuredEngine, rows: Iterable<ContactRow>): Promise<void> {
  await engine.create({
    TableName: TABLE,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: 'tenant', KeyType: 'HASH' },
      { AttributeName: 'created_at', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'tenant', AttributeType: 'S' },
      { AttributeName: 'created_at', AttributeType: 'N' },
    ],
  })
  let items: Record<string, AttributeValue>[] = []
  const flush = async () => {
    const requests = items.map((Item) => ({ PutRequest: { Item } }))
    items = []
    if (requests.length > 0)
      await engine.client.send(new BatchWriteItemCommand({ RequestItems: { [TABLE]: requests } }))
  }
  for (const { id, createdAt, fields } of rows) {
    const { name, company, phone } = fields
    items.push({
      tenant: { S: 'acme' },
      created_at: { N: String(createdAt) },
      id: { S: id },
      name: { S: name },
      company: { S: company },
      phone: { S: phone },
      name_text: { S: plainText(name) },
      company_text: { S: companyName(company) },
    })
    if (items.length === BATCH) await flush()
  }
  await flush()
}

/** The newest 100 that contain a text: pages of a megabyte are read until there are so many. @returns their number */
export async function containsScan(client: DynamoDBClient, text: string): Promise<number> {
  let found = 0
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: TABLE,
        KeyConditionExpression: 'tenant = :tenant',
        FilterExpression: 'contains(name_text, :text) OR contains(company_text, :text)',
        ExpressionAttributeValues: { ':tenant': { S: 'acme' }, ':text': { S: text } },
        ScanIndexForward: false,
        ...(ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }),
      }),
    )
    found += page.Items?.length ?? 0
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey !== undefined && found < 100)
  return found
}
