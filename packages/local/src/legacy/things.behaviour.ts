import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** An item with nearly every type, in a table with two indexes. One index holds all attributes, the other one few. */
export const THING = {
  pk: { S: 'p' },
  sk: { N: '1' },
  g: { S: 'g' },
  a: { S: 'text' },
  n: { N: '5' },
  flag: { BOOL: true },
  texts: { SS: ['one', 'two'] },
  lots: { L: [{ N: '1' }] },
}

export async function createTableOfThings(client: DynamoDBClient): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: 'things',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'N' },
        { AttributeName: 'g', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by_g',
          KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
        {
          IndexName: 'few_by_g',
          KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['n'] },
        },
      ],
    }),
  )
}
