import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { type Counter, counter } from 'isotherm/counter'
import { MeasuredCosts } from './measured-costs.js'
import type { OperationCost } from './operation-cost.js'
import { PatternWorld } from './pattern-world.js'

const TABLE = 'counters'
const TIMES = 50
const SHARDS = 64

/** What each operation of a counter costs, and the same by hand in one item. */
export async function counterCosts(): Promise<readonly OperationCost[]> {
  const world = new PatternWorld({ seed: 1 })
  const { clock } = world
  const client = world.client(1)
  let seed = 10
  const open = (key: string, initial: number): Counter =>
    counter(client, {
      table: TABLE,
      partitionKey: 'id',
      key,
      initial,
      clock,
      random: new SeededRandom(seed++),
    })
  const costs = new MeasuredCosts(world)
  const measure = (operation: string, times: number, call: (at: number) => Promise<unknown>) =>
    costs.measure(operation, times, call)
  await clock.run(async () => {
    await world.create({
      TableName: TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      WarmThroughput: { ReadUnitsPerSecond: 40_000, WriteUnitsPerSecond: 20_000 },
    })
    const Key = { id: { S: 'by hand' } }
    const byHand = {
      TableName: TABLE,
      Key,
      UpdateExpression: 'ADD n :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    }
    await measure('by hand: `ADD` to one item', TIMES, () => client.send(new UpdateItemCommand(byHand)))
    await measure('by hand: read that item', TIMES, () =>
      client.send(new GetItemCommand({ TableName: TABLE, Key, ConsistentRead: true })),
    )
    for (const shards of [1, SHARDS]) {
      const votes = open(`counter of ${shards}`, shards)
      const of = shards === 1 ? '1 shard' : `${shards} shards`
      await votes.add(1)
      await measure(`\`add(1)\`, ${of}`, TIMES, () => votes.add(1))
      await measure(`\`add(1, { token })\`, ${of}`, TIMES, (at) => votes.add(1, { token: `${at}` }))
      for (let at = 0; at < 4 * shards; at++) await votes.add(1)
      await measure(`\`value()\`, ${of}`, 1, () => votes.value())
      if (shards > 8) await measure(`\`estimate(8)\`, ${of}`, 1, () => votes.estimate(8))
      await measure(`\`reset()\`, ${of}`, 1, () => votes.reset())
      await measure(`\`rollUp()\`, ${of}`, 1, () => votes.rollUp())
    }
    const votes = open('counter that shrinks', SHARDS)
    for (let at = 0; at < 4 * SHARDS; at++) await votes.add(1)
    await measure(`\`rollUp({ shards: 1 })\`, ${SHARDS} shards`, 1, () => votes.rollUp({ shards: 1 }))
    await measure('`value()` after it', 1, () => votes.value())
  })
  await world.close()
  return costs.rows
}
