import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { expect, it } from 'vitest'
import { shardedEngine } from '../../test/sharded-engine.js'
import { fixedShards } from '../scaling/shards.js'

/** With a suffix of three bytes, keys of 1,021 bytes are as long as a sort key of an index can be. */
const KEYS = [1_020, 1_021].flatMap((bytes) =>
  ['1', '2', '3', '4', '5', '6'].map((character) => character.repeat(bytes)),
)

it.each([true, false])(
  'An inverted index returns keys that are as long as its sort keys can be: ascending %s.',
  async (ScanIndexForward) => {
    const engine = await shardedEngine(
      { suffix: 'random', shards: fixedShards(12), indexes: { inverted: { sortKey: 'pk' } } },
      { global: { inverted: ['sk:N', 'pk'] } },
    )
    await engine.clock.run(async () => {
      const db = engine.process()
      for (const key of KEYS) {
        const Item = { pk: { S: `${key}_12` }, sk: { N: '1' } }
        await engine.client.send(new PutItemCommand({ TableName: 'log', Item }))
      }
      const seen: (string | undefined)[] = []
      let ExclusiveStartKey: QueryCommand['input']['ExclusiveStartKey']
      do {
        const { Items = [], LastEvaluatedKey } = await db.send(
          new QueryCommand({
            TableName: 'log',
            IndexName: 'inverted',
            KeyConditionExpression: 'sk = :one',
            ExpressionAttributeValues: { ':one': { N: '1' } },
            ScanIndexForward,
            Limit: 1,
            ExclusiveStartKey,
          }),
        )
        seen.push(...Items.map(({ pk }) => pk?.S))
        ExclusiveStartKey = LastEvaluatedKey
      } while (ExclusiveStartKey !== undefined)
      const inOrder = KEYS.toSorted()
      expect(seen).toEqual(ScanIndexForward ? inOrder : inOrder.toReversed())
    })
    await engine.close()
  },
)
