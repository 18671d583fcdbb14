import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { bareClient } from '../../test/fake-client.js'
import { FakeTables } from '../../test/fake-tables.js'
import { isotherm } from '../client/isotherm.js'
import type { ShardedTableOptions } from '../client/options.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'

const FIXED = { suffix: 'random', shards: fixedShards(2) } as const
const SORTED = { partitionKey: 'pk', sortKey: 'at' } as const

/** The attributes that a query asks each shard for, and the items that it returns. */
async function fetched(
  options: Pick<ShardedTableOptions, 'suffix' | 'shards' | 'indexes'>,
  more: Partial<QueryCommandInput> = {},
  keys: { readonly partitionKey: string; readonly sortKey?: string } = SORTED,
) {
  const tables = new FakeTables().create('log', keys).create('log_shard_map', { partitionKey: 'pk' })
  const item = { pk: { S: 'k_1' }, at: { N: '1' }, rank: { N: '2' }, text: { S: 'x' } }
  tables.execute('PutItem', { TableName: 'log', Item: item })
  tables.requests.length = 0
  const db = isotherm(bareClient(tables), {
    tables: { log: { ...keys, ...options, checkItems: false } },
    clock: new VirtualClock(),
  })
  const { Items } = await db.send(
    new QueryCommand({
      TableName: 'log',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'k' } },
      ProjectionExpression: '#text',
      ExpressionAttributeNames: { '#text': 'text' },
      ...more,
    }),
  )
  const asked = new Set<string>()
  for (const { operation, input } of tables.requests) {
    if (operation !== 'Query') continue
    for (const name of input.ProjectionExpression.split(', ')) asked.add(input.ExpressionAttributeNames[name])
  }
  return { asked: [...asked].sort(), Items }
}

const text = [{ text: { S: 'x' } }]

describe('a query with a projection', () => {
  it.each(['random', 'calculated'] as const)(
    'of a fixed count asks for the sort key, by which shards are merged: %s',
    async (suffix) => {
      expect(await fetched({ ...FIXED, suffix })).toEqual({ asked: ['at', 'text'], Items: text })
    },
  )

  it('asks for the mark of moved items where they may have equal sort keys', async () => {
    expect(await fetched({ suffix: 'random', shards: dynamicShards() })).toEqual({
      asked: ['at', 'isotherm_moved', 'text'],
      Items: text,
    })
    expect((await fetched({ suffix: 'calculated', shards: dynamicShards() })).asked).toEqual(['at', 'text'])
  })

  it('of a table without a sort key asks for the partition key', async () => {
    const { asked, Items } = await fetched(FIXED, {}, { partitionKey: 'pk' })
    expect(asked).toEqual(['pk', 'text'])
    expect(Items).toEqual(text)
  })

  it("of an index asks for the keys of the index and of the table, which are the page's end", async () => {
    const indexes = { by_rank: { sortKey: 'rank' } }
    const { asked, Items } = await fetched({ ...FIXED, indexes }, { IndexName: 'by_rank' })
    expect(asked).toEqual(['at', 'pk', 'rank', 'text'])
    expect(Items).toEqual(text)
  })
})
