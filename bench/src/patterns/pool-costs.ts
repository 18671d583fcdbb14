import { QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { pool, poolTable } from 'isotherm/pool'
import { MeasuredCosts } from './measured-costs.js'
import type { OperationCost } from './operation-cost.js'
import { PatternWorld } from './pattern-world.js'

const TIMES = 50
const OPTIONS = { table: 'vouchers', partitionKey: 'code' }

/** What each operation of a pool costs, and the same by hand with an index by status. */
export async function poolCosts(): Promise<readonly OperationCost[]> {
  const world = new PatternWorld({ seed: 1 })
  const { clock } = world
  const client = world.client(1)
  const costs = new MeasuredCosts(world)
  await clock.run(async () => {
    await world.create(poolTable(OPTIONS))
    await world.create({
      TableName: 'by_hand',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'code', KeyType: 'HASH' }],
      AttributeDefinitions: ['code', 'status'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S' as const,
      })),
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by_status',
          KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    })
    const byHand = (code: string, status: string) =>
      client.send(
        new UpdateItemCommand({
          TableName: 'by_hand',
          Key: { code: { S: code } },
          UpdateExpression: 'SET #status = :status',
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: { ':status': { S: status } },
        }),
      )
    await costs.measure('by hand: put with `status`', TIMES, (at) => byHand(`${at}`, 'UN_USED'))
    await costs.measure('by hand: find one and set `status`', TIMES, async () => {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: 'by_hand',
          IndexName: 'by_status',
          KeyConditionExpression: '#status = :status',
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: { ':status': { S: 'UN_USED' } },
          Limit: 1,
        }),
      )
      await byHand(Items[0]?.code?.S ?? '', 'USED')
    })
    const vouchers = pool(client, { ...OPTIONS, clock, random: new SeededRandom(1) })
    const ids = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}-${at}`)
    // The first call of a client describes the table.
    await vouchers.size()
    await costs.measure('`add([id])`', TIMES, (at) => vouchers.add([`single-${at}`]))
    await costs.measure('`add(100 ids)`', 4, (at) => vouchers.add(ids(`hundred-${at}`, 100)))
    await costs.measure('`add(100 ids, { batches: true })`', 4, (at) =>
      vouchers.add(ids(`batched-${at}`, 100), { batches: true }),
    )
    const claims = (await costs.measure('`claim()`', TIMES, () => vouchers.claim())).flat()
    await costs.measure('`claim(25)`', 4, () => vouchers.claim(25))
    await costs.measure('`use(claim)`', 10, (at) => vouchers.use(claims[at] as never))
    await costs.measure('`release(claim)`', 10, (at) => vouchers.release(claims[10 + at] as never))
    await costs.measure('`size()` of 710 unused', 1, () => vouchers.size())
  })
  await world.close()
  return costs.rows
}
