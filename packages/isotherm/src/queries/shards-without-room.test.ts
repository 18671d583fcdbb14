import { QueryCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { bareClient } from '../../test/fake-client.js'
import { FakeTables } from '../../test/fake-tables.js'
import { isotherm } from '../client/isotherm.js'
import { fixedShards } from '../scaling/shards.js'
import { handMade } from '../writes/hand-made.js'

const LABELS = ['a', 'longer', 'b', 'longest']
const keys = { partitionKey: 'pk', sortKey: 'at' }

/** A table that was sharded by hand, with names of several lengths, and a key of so many characters. */
function setUp(characters: number) {
  const pk = 'x'.repeat(characters)
  const tables = new FakeTables().create('log', keys)
  for (const [at, label] of ['a', 'b', 'a', 'b'].entries()) {
    const item = { pk: { S: `${pk}#${label}` }, at: { N: String(at) } }
    tables.execute('PutItem', { TableName: 'log', Item: item })
  }
  tables.requests.length = 0
  const suffix = handMade({ name: 'labels', delimiter: '#', labels: LABELS, shardOf: 'random' })
  const db = isotherm(bareClient(tables), {
    tables: { log: { ...keys, suffix, shards: fixedShards(LABELS.length), checkItems: false } },
  })
  const command = new QueryCommand({
    TableName: 'log',
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: pk } },
  })
  const query = () => db.send(command)
  const asked = () =>
    tables.requests.map(({ input }) =>
      input.ExpressionAttributeValues[':isotherm_partition'].S.slice(characters),
    )
  return { query, asked }
}

const numbersOf = (items: readonly Record<string, { N?: string }>[] = []) => items.map(({ at }) => at?.N)

describe('a query of a key that is sharded by hand', () => {
  it('asks every shard if the key has room for all of their names', async () => {
    const { query, asked } = setUp(2_040)
    expect(numbersOf((await query()).Items)).toEqual(['0', '1', '2', '3'])
    expect(asked()).toEqual(['#a', '#longer', '#b', '#longest'])
  })

  it('asks no shard whose name makes the key too long, between the others or behind them', async () => {
    const { query, asked } = setUp(2_046)
    expect(numbersOf((await query()).Items)).toEqual(['0', '1', '2', '3'])
    expect(asked()).toEqual(['#a', '#b'])
  })

  it('is refused if the key is too long for every shard', async () => {
    const { query, asked } = setUp(2_047)
    await expect(query()).rejects.toMatchObject({ code: 'key.too-long' })
    expect(asked()).toEqual([])
  })
})
