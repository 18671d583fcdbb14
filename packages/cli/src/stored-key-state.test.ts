import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { dynamicShards, isotherm } from 'isotherm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedKeyState } from './stored-key-state.js'

const local = createLocal({ throttle: false })
const client = local.client()
const table = (suffix: 'random' | 'calculated') => ({
  partitionKey: 'pk',
  sortKey: 'at',
  suffix,
  shards: dynamicShards({ quiet: false }),
})
const db = isotherm<DynamoDBClient>(client, { tables: { log: table('random'), ledger: table('calculated') } })

beforeAll(async () => {
  for (const name of ['log', 'ledger']) {
    await client.send(createTable(name, ['pk', 'at']))
    await client.send(createTable(`${name}_shard_map`, ['pk']))
  }
})
afterAll(async () => {
  db.destroy()
  await local.close()
})

/** The state of a stored item, by this package and by the library. */
async function both(name: string, key: string, item: Record<string, AttributeValue>) {
  const TableName = `${name}_shard_map`
  await client.send(new PutItemCommand({ TableName, Item: { pk: { S: key }, ...item } }))
  const read = await db.shards(name, key).read()
  const { Item = {} } = await client.send(
    new GetItemCommand({ TableName, Key: { pk: { S: key } }, ConsistentRead: true }),
  )
  return { listed: storedKeyState(Item), read }
}

const stored = (
  shards: number,
  history: readonly string[],
  more: Record<string, AttributeValue> = {},
): Record<string, AttributeValue> => ({
  number_of_shards: { N: `${shards}` },
  last_updated: { N: '1764350000' },
  ...(history.length === 0 ? {} : { shard_history: { SS: [...history] } }),
  ...more,
})
const change = (phase: string, from: number, to: number, since?: number) => ({
  phase: { S: phase },
  from_shards: { N: `${from}` },
  to_shards: { N: `${to}` },
  ...(since === undefined ? {} : { draining_since: { N: `${since}` } }),
})

describe('the state of an item of the shard map', () => {
  it.each([
    ['log', 'settled', 4, stored(4, ['10:4'])],
    ['log', 'settled', 4, stored(4, ['10:1', '20:2', '30:4'])],
    ['log', 'retired', 4, stored(1, ['10:4', '20:1'])],
    // The times have another order as texts than as numbers.
    ['log', 'settled', 4, stored(4, ['9:2', '10:4'])],
    ['log', 'retired', 8, stored(8, ['10:4', '20:1', '30:8'])],
    // Others wrote the count alone, or what is no entry.
    ['log', 'retired', 4, stored(2, ['10:4'])],
    ['log', 'settled', 8, stored(8, ['10:4'])],
    ['log', 'settled', 3, stored(3, [])],
    ['log', 'settled', 2, stored(2, ['10:2', 'x:9', '12:0', '50'])],
    ['ledger', 'announced', 4, stored(1, ['10:1', '20:4'], change('announced', 1, 4))],
    ['ledger', 'moved', 4, stored(4, ['10:1', '20:4'], change('moved', 1, 4))],
    ['ledger', 'moved', 4, stored(4, ['10:1', '20:4'], change('moved', 1, 4, 10))],
    ['ledger', 'draining', 4, stored(4, ['10:1', '20:4'], change('moved', 1, 4, 20))],
    ['ledger', 'draining', 8, stored(2, ['10:8', '20:2'], change('moved', 8, 2, 20))],
  ])(
    'in %s is %s with %i shards to read, as the library reads it (case %#)',
    async (name, phase, readable, item) => {
      const { listed, read } = await both(name, `key-${JSON.stringify(item).length}-${phase}`, item)
      expect(listed).toMatchObject({ phase, readableShards: readable })
      const { shards, readableShards, lastUpdated, to } = listed
      expect(read).toMatchObject({ shards, readableShards, phase: listed.phase, lastUpdated })
      expect(to).toBe(phase === 'settled' || phase === 'retired' ? undefined : read?.to)
    },
  )
})
