import { CreateTableCommand } from '@aws-sdk/client-dynamodb'

/** The tables of the benchmark. */
export const PREPARED_TABLES = ['plain', 'log_1', 'log_8'].map(
  (TableName) =>
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'path', KeyType: 'HASH' },
        { AttributeName: 'at', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'path', AttributeType: 'S' },
        { AttributeName: 'at', AttributeType: 'N' },
      ],
    }),
)
