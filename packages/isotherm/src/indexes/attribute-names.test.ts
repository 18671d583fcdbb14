import {
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { backfillIndexes } from '../client/backfill-indexes.js'
import { isotherm } from '../client/isotherm.js'
import { fixedShards } from '../scaling/shards.js'

it('indexes items by an attribute with the name of a property that every object has, such as constructor', async () => {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const client = await warmedUp(local.client())
  const options = {
    partitionKey: 'car',
    indexes: { by_constructor: { partitionKey: 'constructor', shards: fixedShards(2) } },
  } as const
  const db: DynamoDBClient = isotherm(client, {
    tables: { cars: options },
    clock,
    random: new SeededRandom(2),
  })
  await clock.run(async () => {
    const key = 'isotherm_by_constructor'
    await client.send(
      createTable('cars', ['car'], { global: { by_constructor: { key: [key], projected: 'KEYS_ONLY' } } }),
    )
    const put = (Item: PutItemCommand['input']['Item']) => new PutItemCommand({ TableName: 'cars', Item })
    await db.send(put({ car: { S: 'a' } }))
    await db.send(put({ car: { S: 'b' }, constructor: { S: 'Lotus' } } as never))
    await db.send(
      new UpdateItemCommand({ TableName: 'cars', Key: { car: { S: 'a' } }, UpdateExpression: 'REMOVE x' }),
    )
    await client.send(put({ car: { S: 'c' } }))
    expect(await backfillIndexes(client, { table: 'cars', options, clock })).toMatchObject({
      written: 0,
      changed: 0,
    })
    const { Items } = await db.send(
      new QueryCommand({
        TableName: 'cars',
        IndexName: 'by_constructor',
        KeyConditionExpression: '#c = :c',
        ExpressionAttributeNames: { '#c': 'constructor' },
        ExpressionAttributeValues: { ':c': { S: 'Lotus' } },
      }),
    )
    expect(Items).toEqual([{ car: { S: 'b' }, constructor: { S: 'Lotus' } }])
  })
  db.destroy()
  await local.close()
})
