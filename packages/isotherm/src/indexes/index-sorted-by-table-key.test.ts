import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { shardedEngine } from '../../test/sharded-engine.js'
import { fixedShards } from '../scaling/shards.js'

const KEYS = ['o1', 'o2', 'o3', 'o4']

const query = (condition: string, values = {}) =>
  new QueryCommand({
    TableName: 'log',
    IndexName: 'by_status',
    KeyConditionExpression: `#status = :status${condition}`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':status': { S: 'open' }, ...values },
  })

describe('a sharded index whose sort key is the partition key of a sharded table', () => {
  it('is queried as a whole, and refuses conditions on that key, which would compare its suffix', async () => {
    const engine = await shardedEngine(
      {
        suffix: 'calculated',
        shards: fixedShards(3),
        indexes: { by_status: { partitionKey: 'status', sortKey: 'pk', shards: fixedShards(2) } },
      },
      { global: { by_status: ['isotherm_by_status', 'pk'] } },
    )
    await engine.clock.run(async () => {
      const db = engine.process()
      for (const key of KEYS) {
        const Item = { pk: { S: key }, sk: { N: '1' }, status: { S: 'open' } }
        await db.send(new PutItemCommand({ TableName: 'log', Item }))
      }
      const { Items = [] } = await db.send(query(''))
      expect(Items.map(({ pk }) => pk?.S)).toEqual(KEYS)
      const [low, high] = [{ ':low': { S: 'o1' } }, { ':high': { S: 'o3' } }]
      for (const asked of [
        query(' AND pk = :low', low),
        query(' AND begins_with(pk, :low)', low),
        query(' AND pk BETWEEN :low AND :high', { ...low, ...high }),
        query(' AND pk <= :high', high),
      ]) {
        await expect(db.send(asked)).rejects.toMatchObject({
          code: 'command.parameter-unsupported',
          details: { parameter: 'a range of pk in its KeyConditionExpression' },
        })
      }
    })
    await engine.close()
  })
})
