import { createHash } from 'node:crypto'
import { BatchWriteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readShardMap } from './read-shard-map.js'

const local = createLocal({ throttle: false })
const client = local.client()
const BATCH = 25
/** More than a console reads. */
const KEYS = 5_500

const hashOf = (key: string) => createHash('md5').update(key).digest('hex')

/** Keys that a scan finds before the card. */
function keysBeforeCard(): readonly string[] {
  const keys: string[] = []
  for (let at = 0; keys.length < KEYS; at++) {
    if (hashOf(`/page/${at}`) < hashOf('isotherm:card')) keys.push(`/page/${at}`)
  }
  return keys
}

beforeAll(async () => {
  for (const name of ['few', 'many', 'bytes']) {
    await client.send(createTable(name, [name === 'bytes' ? 'page:B' : 'page']))
  }
})
afterAll(() => local.close())

const card = { format: { N: '1' }, settings: { M: { delimiter: { S: '#' }, initial: { S: '2' } } } }
const count = (shards: number) => ({ number_of_shards: { N: `${shards}` }, last_updated: { N: '1000' } })

describe('the shard map of a console', () => {
  it('has no key with the initial count again: its item repeats an older one', async () => {
    for (const item of [
      { page: { S: 'isotherm:card' }, ...card },
      { page: { S: '/sale' }, ...count(8) },
      { page: { S: '/calm' }, ...count(1), initial_as_of: { N: '0' } },
    ]) {
      await client.send(new PutItemCommand({ TableName: 'few', Item: item }))
    }
    const { keys } = await readShardMap(client, 'few')
    expect(keys.map(({ key, shards }) => [key, shards])).toEqual([['/sale', 8]])
  })

  it.each(['many', 'bytes'])(
    'has the options of its table, however many keys there are: %s',
    async (TableName) => {
      const keyOf = (text: string) => ({
        page: TableName === 'bytes' ? { B: Buffer.from(text) } : { S: text },
      })
      const keys = keysBeforeCard()
      for (let first = 0; first < KEYS; first += BATCH) {
        const requests = keys.slice(first, first + BATCH).map((key) => ({
          PutRequest: { Item: { ...keyOf(key), ...count(2) } },
        }))
        await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }))
      }
      await client.send(new PutItemCommand({ TableName, Item: { ...keyOf('isotherm:card'), ...card } }))
      const read = await readShardMap(client, TableName)
      expect(read).toMatchObject({ isWhole: false, card: { settings: { delimiter: '#' } } })
    },
  )
})
