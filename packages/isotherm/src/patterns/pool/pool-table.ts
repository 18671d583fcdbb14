import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import { type PoolOptions, parsePoolOptions } from './pool-options.js'

/**
 * The input of a CreateTable request for a pool: an on-demand table and its sparse index, which has keys alone.
 *
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example await client.send(new CreateTableCommand(poolTable({ table: 'vouchers', partitionKey: 'code' })))
 */
export function poolTable(options: PoolOptions): CreateTableCommandInput {
  const { table, partitionKey, sortKey, index, indexKey, place } = parsePoolOptions(options)
  const text = [partitionKey, indexKey, ...(sortKey === undefined ? [] : [sortKey])]
  return {
    TableName: table,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: partitionKey, KeyType: 'HASH' },
      ...(sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' as const }]),
    ],
    AttributeDefinitions: [
      ...text.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
      { AttributeName: place, AttributeType: 'N' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: index,
        KeySchema: [
          { AttributeName: indexKey, KeyType: 'HASH' },
          { AttributeName: place, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  }
}
