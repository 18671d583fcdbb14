import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { SeededRandom } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { shardedEngine } from '../../test/sharded-engine.js'
import { isotherm } from '../client/isotherm.js'
import { fixedShards } from '../scaling/shards.js'

it.each(['random', 'calculated'] as const)(
  'a query by a prefix in a Buffer does not change the Buffer, which the next query uses (suffix: %s)',
  async (suffix) => {
    const shards = fixedShards(3)
    const { client, clock, close } = await shardedEngine({ suffix, shards })
    await clock.run(async () => {
      await client.send(createTable('files', ['pk', 'sk:B']))
      const tables = { files: { partitionKey: 'pk', sortKey: 'sk', suffix, shards } }
      const db = isotherm(client, { tables, clock, random: new SeededRandom(3) })
      for (const text of ['a1', 'a2', 'b1', 'b2', 'c1']) {
        const Item = { pk: { S: 'k' }, sk: { B: Buffer.from(text) } }
        await db.send(new PutItemCommand({ TableName: 'files', Item }))
      }
      const prefix = Buffer.from('a')
      for (let time = 1; time <= 3; time++) {
        const { Items = [] } = await db.send(
          new QueryCommand({
            TableName: 'files',
            KeyConditionExpression: 'pk = :k AND begins_with(sk, :prefix)',
            ExpressionAttributeValues: { ':k': { S: 'k' }, ':prefix': { B: prefix } },
          }),
        )
        expect(Items.map(({ sk }) => Buffer.from(sk?.B ?? []).toString())).toEqual(['a1', 'a2'])
        expect(prefix.toString()).toBe('a')
      }
    })
    await close()
  },
)
