import { PutItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { SeededRandom } from '@isotherm/runtime'
import { MAX_SORT_KEY_BYTES } from '@isotherm/semantics'
import { expect, it } from 'vitest'
import { shardedEngine } from '../../test/sharded-engine.js'
import { isotherm } from '../client/isotherm.js'
import { fixedShards } from '../scaling/shards.js'

/** The characters after these are longer in UTF-8. */
const LASTS = ['z', '\u007f', '\u07ff', '\uffff']

/** A random suffix stores a copy at each put, so that the shards share the sort key. */
const PUTS = 12

it.each(LASTS)(
  'a prefix as long as a sort key, with %j at its end, finds all items of that sort key',
  async (last) => {
    const shards = fixedShards(3)
    const { client, clock, close } = await shardedEngine({ suffix: 'random', shards })
    await clock.run(async () => {
      await client.send(createTable('files', ['pk', 'sk']))
      const tables = { files: { partitionKey: 'pk', sortKey: 'sk', suffix: 'random', shards } } as const
      const db = isotherm(client, { tables, clock, random: new SeededRandom(3) })
      const prefix = 'k'.repeat(MAX_SORT_KEY_BYTES - Buffer.byteLength(last)) + last
      const Item = { pk: { S: 'k' }, sk: { S: prefix } }
      for (let put = 0; put < PUTS; put++) await db.send(new PutItemCommand({ TableName: 'files', Item }))
      for (const ScanIndexForward of [true, false]) {
        const query = {
          TableName: 'files',
          KeyConditionExpression: 'pk = :k AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':k': Item.pk, ':prefix': Item.sk },
          ScanIndexForward,
        }
        const found: unknown[] = []
        for await (const { Items = [] } of paginateQuery({ client: db, pageSize: 1 }, query))
          found.push(...Items)
        expect(found).toEqual([Item, Item, Item])
      }
    })
    await close()
  },
)
