import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'

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
    createTable('things', ['pk', 'sk:N'], {
      global: { by_g: ['g'], few_by_g: { key: ['g'], projected: ['n'] } },
    }),
  )
}
