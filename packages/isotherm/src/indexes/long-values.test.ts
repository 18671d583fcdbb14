import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { scanned } from '../../test/sharded-engine.js'
import { warmedUp } from '../../test/warmed-up.js'
import { isotherm } from '../client/isotherm.js'
import { fixedShards } from '../scaling/shards.js'

const TableName = 'files'
/** With the suffix `_9` it has the maximum length of a partition key in DynamoDB. */
const LONG = { S: 'x'.repeat(2_046) }
const ROOM = 9

/** A table with an index of this many shards for each status. */
async function withIndex(
  shards: number,
  work: (db: DynamoDBClient, client: DynamoDBClient) => Promise<void>,
): Promise<void> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const client = await warmedUp(local.client())
  const indexes = { by_status: { partitionKey: 'status', shards: fixedShards(shards) } }
  const tables = { files: { partitionKey: 'pk', indexes } }
  const db = isotherm(client, { tables, clock, random: new SeededRandom(2) })
  await clock.run(async () => {
    await client.send(createTable(TableName, ['pk'], { global: { by_status: ['isotherm_by_status'] } }))
    await work(db, client)
  })
  await local.close()
}

const keyOf = (number: number) => ({ pk: { S: `file ${number}` } })

const query = (Limit: number) =>
  new QueryCommand({
    TableName,
    IndexName: 'by_status',
    KeyConditionExpression: '#s = :s',
    ExpressionAttributeNames: { '#s': 'status' },
    ExpressionAttributeValues: { ':s': LONG },
    Limit,
  })

describe('a value of an index that has room for the numbers of its first shards only', () => {
  it('is refused by every write that would add it, whatever the shard of the item', () =>
    withIndex(12, async (db, client) => {
      for (let number = 0; number < 20; number++) {
        const Key = keyOf(number)
        const Item = { ...Key, status: LONG }
        const update = {
          TableName,
          Key,
          UpdateExpression: 'SET #s = :s',
          ExpressionAttributeNames: { '#s': 'status' },
          ExpressionAttributeValues: { ':s': LONG },
        }
        for (const command of [
          new PutItemCommand({ TableName, Item }),
          new UpdateItemCommand(update),
          new UpdateItemCommand({ ...update, UpdateExpression: 'SET #s = if_not_exists(#s, :s)' }),
          new BatchWriteItemCommand({ RequestItems: { [TableName]: [{ PutRequest: { Item } }] } }),
          new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item } }] }),
          new TransactWriteItemsCommand({ TransactItems: [{ Update: update }] }),
        ]) {
          await expect(db.send(command as never)).rejects.toMatchObject({ code: 'key.too-long' })
        }
      }
      expect(await scanned(client, TableName)).toEqual([])
    }))

  it('is queried where earlier builds have written it', () =>
    withIndex(12, async (db, client) => {
      for (let number = 0; number < 20; number++) {
        const shadow = { S: `${LONG.S}_${1 + (number % ROOM)}` }
        const Item = { ...keyOf(number), status: LONG, isotherm_by_status: shadow }
        await client.send(new PutItemCommand({ TableName, Item }))
      }
      expect((await db.send(query(100))).Count).toBe(20)
      const first = await db.send(query(7))
      const rest = await db.send(
        new QueryCommand({ ...query(100).input, ExclusiveStartKey: first.LastEvaluatedKey }),
      )
      const names = [...(first.Items ?? []), ...(rest.Items ?? [])].map(({ pk }) => pk?.S)
      expect(new Set(names).size).toBe(20)
      expect(names).toHaveLength(20)
    }))

  it('may fill all shards of its index', () =>
    withIndex(ROOM, async (db) => {
      for (let number = 0; number < 20; number++)
        await db.send(new PutItemCommand({ TableName, Item: { ...keyOf(number), status: LONG } }))
      expect((await db.send(query(100))).Count).toBe(20)
    }))
})
