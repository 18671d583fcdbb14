import { type DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { shardedEngine } from '../../../test/sharded-engine.js'
import { isotherm } from '../../client/isotherm.js'
import type { IsothermEvent } from '../../events/event.js'
import { dynamicShards } from '../shards.js'

const NEWEST = new QueryCommand({
  TableName: 'log',
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': { S: 'k' } },
  ConsistentRead: true,
  ScanIndexForward: false,
  Limit: 1,
})

describe('a load that comes and goes', () => {
  it('moves items for less than what reading the shards costs meanwhile, and keeps no more shards than it needs', async () => {
    const engine = await shardedEngine(
      { suffix: 'random', shards: dynamicShards() },
      { latencyMilliseconds: 5 },
    )
    const { client, clock } = engine
    const events: IsothermEvent[] = []
    const db = isotherm<DynamoDBClient>(client, {
      tables: {
        log: {
          partitionKey: 'pk',
          sortKey: 'sk',
          suffix: 'random',
          shards: dynamicShards({ quiet: '1m' }),
          cacheTtl: '1s',
          lateRequests: '1s',
        },
      },
      clock,
      random: new SeededRandom(0x9e37_79b1),
      onEvent: (event) => events.push(event),
    })
    let askedUnits = 0
    let sk = 0
    await clock.run(async () => {
      const shards = db.shards('log', 'k')
      for (const items of [100, 400]) {
        // The peak needs 16 shards.
        await shards.set(16)
        for (let item = 0; item < items; item++) {
          const Item = { pk: { S: 'k' }, sk: { N: String(sk++) } }
          await db.send(new PutItemCommand({ TableName: 'log', Item }))
        }
        const until = clock.now() + 250_000
        while (clock.now() < until) {
          await db.send(NEWEST)
          askedUnits += (await shards.read())?.readableShards ?? 0
          await clock.sleep(500)
        }
      }
      expect((await shards.read())?.shards).toBe(16)
    })
    // The first break pays for the few items that there are. The second one does not, and the count stays what the peaks need.
    const fallen = events.filter((event) => event.type === 'scaled' && event.reason === 'quiet')
    expect(fallen).toHaveLength(1)
    expect(events.some((event) => event.type === 'shrink-declined' && event.reason === 'price')).toBe(true)
    const moved = events.flatMap((event) => (event.type === 'drained' ? [event.moved] : []))
    expect(5 * 5 * moved.reduce((sum, items) => sum + items, 0)).toBeLessThan(askedUnits)
    db.destroy()
    await engine.close()
  })
})
