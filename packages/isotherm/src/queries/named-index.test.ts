import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { bareClient } from '../../test/fake-client.js'
import { FakeTables } from '../../test/fake-tables.js'
import { isotherm } from '../client/isotherm.js'
import { fixedShards } from '../scaling/shards.js'

const keys = { partitionKey: 'pk', sortKey: 'at' }
const QUERIES = 20

/** The indexes that several queries ask, of a table with two read replicas and an index of the same keys. */
async function indexesAsked(more: Partial<QueryCommandInput>): Promise<readonly (string | undefined)[]> {
  const tables = new FakeTables().create('log', keys)
  for (let at = 0; at < 9; at++) {
    const item = { pk: { S: `k_${1 + (at % 3)}` }, at: { N: String(at) } }
    tables.execute('PutItem', { TableName: 'log', Item: item })
  }
  tables.requests.length = 0
  const db = isotherm(bareClient(tables), {
    tables: {
      log: {
        ...keys,
        suffix: 'random',
        shards: fixedShards(3),
        readReplicas: ['copy_1', 'copy_2'],
        indexes: { by_time: { sortKey: 'at' } },
        checkItems: false,
      },
    },
    random: new SeededRandom(1),
  })
  for (let query = 0; query < QUERIES; query++) {
    const { Items = [] } = await db.send(
      new QueryCommand({
        TableName: 'log',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'k' } },
        ...more,
      }),
    )
    expect(Items.map(({ at }) => Number(at?.N))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  }
  return [...new Set(tables.requests.map(({ input }) => input.IndexName))].sort()
}

describe('a query of a table with read replicas', () => {
  it('asks one of them or the table, if it names no index', async () => {
    expect(await indexesAsked({})).toEqual(['copy_1', 'copy_2', undefined])
  })

  it('asks the replica that it names, and no other', async () => {
    expect(await indexesAsked({ IndexName: 'copy_1' })).toEqual(['copy_1'])
  })

  it('asks another index that it names, and no replica', async () => {
    expect(await indexesAsked({ IndexName: 'by_time' })).toEqual(['by_time'])
  })
})
