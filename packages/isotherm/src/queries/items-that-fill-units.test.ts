import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { itemBytes } from '@isotherm/semantics'
import { describe, expect, it } from 'vitest'
import { bareClient } from '../../test/fake-client.js'
import { FakeTables } from '../../test/fake-tables.js'
import { isotherm } from '../client/isotherm.js'
import { fixedShards } from '../scaling/shards.js'

const SHARDS = 4
const ITEMS = 200
const KEYS = { partitionKey: 'pk', sortKey: 'at' }

/** The read units of all pages of a query with a filter, which all items of this size pass. */
async function unitsOf(bytes: number): Promise<number> {
  const tables = new FakeTables().create('log', KEYS).create('log_shard_map', { partitionKey: 'pk' })
  for (let at = 0; at < ITEMS; at++) {
    const key = { pk: { S: `k_${1 + (at % SHARDS)}` }, at: { N: String(1_000 + at) } }
    const text = 'x'.repeat(bytes - itemBytes({ ...key, text: { S: '' } }))
    tables.execute('PutItem', { TableName: 'log', Item: { ...key, text: { S: text } } })
  }
  const db = isotherm(bareClient(tables), {
    tables: { log: { ...KEYS, suffix: 'random', shards: fixedShards(SHARDS), checkItems: false } },
    clock: new VirtualClock(),
    random: new SeededRandom(5),
  })
  const input: QueryCommandInput = {
    TableName: 'log',
    KeyConditionExpression: 'pk = :k',
    FilterExpression: 'attribute_exists(#text)',
    ExpressionAttributeNames: { '#text': 'text' },
    ExpressionAttributeValues: { ':k': { S: 'k' } },
    Limit: 25,
  }
  let count = 0
  let start: Pick<QueryCommandInput, 'ExclusiveStartKey'> = {}
  for (;;) {
    const { Count = 0, LastEvaluatedKey } = await db.send(new QueryCommand({ ...input, ...start }))
    count += Count
    if (LastEvaluatedKey === undefined) break
    start = { ExclusiveStartKey: LastEvaluatedKey }
  }
  expect(count).toBe(ITEMS)
  return tables.queriedUnits
}

describe('a query with a filter', () => {
  it.each([
    [512, 500],
    [1_024, 1_000],
  ])(
    'takes no more units for items of %i bytes, which fill units to the last byte, than for slightly smaller ones',
    async (full, smaller) => {
      expect(await unitsOf(full)).toBe(await unitsOf(smaller))
    },
  )
})
