import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { type Queue, queue, queueTable } from 'isotherm/queue'
import { MeasuredCosts } from './measured-costs.js'
import type { OperationCost } from './operation-cost.js'
import { PatternWorld } from './pattern-world.js'

const TIMES = 50
const OPTIONS = { table: 'jobs', partitionKey: 'id' }
const OTHER = 'orders'

/** What each operation of a queue costs, and the same by hand in a table without an index. */
export async function queueCosts(): Promise<readonly OperationCost[]> {
  const world = new PatternWorld({ seed: 1 })
  const { clock } = world
  const client = world.client(1)
  const costs = new MeasuredCosts(world)
  const open = (name: string): Queue<number> =>
    queue(client, { ...OPTIONS, name, clock, random: new SeededRandom(1), lease: '1h' })
  await clock.run(async () => {
    await world.create(queueTable(OPTIONS))
    await world.create({
      TableName: OTHER,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    })
    const Key = (at: number) => ({ id: { S: `by-hand-${at}` } })
    await costs.measure('by hand: put an item, no index', TIMES, (at) =>
      client.send(new PutItemCommand({ TableName: OTHER, Item: { ...Key(at), done: { BOOL: false } } })),
    )
    await costs.measure('by hand: mark it as done', TIMES, (at) =>
      client.send(
        new UpdateItemCommand({
          TableName: OTHER,
          Key: Key(at),
          UpdateExpression: 'SET done = :true',
          ExpressionAttributeValues: { ':true': { BOOL: true } },
        }),
      ),
    )
    const simple = open('simple')
    // The first call of a client describes the table.
    await simple.stats()
    await costs.measure('`enqueue(payload)`', TIMES, (at) => simple.enqueue(at))
    const ordered = open('ordered')
    await costs.measure('`enqueue(payload, { entity })`, the first of its entity', TIMES, (at) =>
      ordered.enqueue(at, { entity: `${at}` }),
    )
    await costs.measure('`enqueue(payload, { entity })`, others', TIMES, (at) =>
      ordered.enqueue(at, { entity: `${at}` }),
    )
    await costs.measure('`stats()` of 50 operations', 1, () => simple.stats())
    const perOperation = async (
      name: string,
      jobs: Queue<number>,
      handler: () => Promise<undefined | never[]>,
    ) => {
      world.takeCost()
      const { done } = await jobs.work(handler, { concurrency: 10, untilEmpty: true })
      const { requests, readUnits, writeUnits } = world.takeCost()
      const cost = { requests: requests / done, readUnits: readUnits / done, writeUnits: writeUnits / done }
      costs.rows.push({ operation: name, cost })
    }
    await perOperation('`work`: an operation, all in all', simple, async () => undefined)
    const writing = open('writing')
    for (let at = 0; at < TIMES; at++) await writing.enqueue(at)
    let orders = 0
    await perOperation('`work`: an operation whose handler returns one write', writing, async () => {
      orders += 1
      return [{ Put: { TableName: OTHER, Item: { id: { S: `order-${orders}` } } } } as never]
    })
    await perOperation('`work`: an operation of an entity', ordered, async () => undefined)
    const idle = open('idle')
    await costs.measure('`work`: a look at an empty queue', 10, () =>
      idle.work(async () => {}, { untilEmpty: true }),
    )
  })
  await world.close()
  return costs.rows
}
