import { CreateTableCommand, type CreateTableCommandInput } from '@aws-sdk/client-dynamodb'

/** On-demand capacity that a table has had before, so that its partitions are there from the beginning. */
const WARM = { ReadUnitsPerSecond: 24_000, WriteUnitsPerSecond: 16_000 }

/** A table with a partition key and nothing else. */
export function plainTable(
  TableName: string,
  key: string,
  more: Partial<CreateTableCommandInput> = {},
): CreateTableCommand {
  return new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
    WarmThroughput: WARM,
    ...more,
  })
}
