import {
  BatchWriteItemCommand,
  PutItemCommand,
  QueryCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { type ObjectStore, type Rotation, rotation } from 'isotherm/rotation'
import { keyed } from './large-costs.js'
import { MeasuredCosts } from './measured-costs.js'
import type { OperationCost } from './operation-cost.js'
import { PatternWorld } from './pattern-world.js'

const ITEMS = 2_000
const MONTHS = ['2026-12', '2027-01']
/** Of an item, with its keys. */
const TEXT = 'x'.repeat(250)

/** What each operation of a rotation costs, and the same in one table. */
export async function rotationCosts(): Promise<readonly OperationCost[]> {
  const world = new PatternWorld({ seed: 1 })
  const client = world.client(1)
  const { clock } = world
  const costs = new MeasuredCosts(world)
  const log = rotation(client, {
    table: 'log',
    partitionKey: 'file',
    sortKey: 'at',
    period: 'month',
    clock,
    random: new SeededRandom(2),
  })
  await clock.run(async () => {
    const table = keyed('by_hand', ['file', 'at'])
    await world.create({
      ...table,
      WarmThroughput: { ReadUnitsPerSecond: 40_000, WriteUnitsPerSecond: 40_000 },
    })
    await world.create(keyed('log_periods', ['name', 'period']))
    const times = MONTHS.flatMap((month) => timesIn(month))
    await costs.measure('in one table: put an item of 300 bytes', times.length, (at) =>
      client.send(
        new PutItemCommand({
          TableName: 'by_hand',
          Item: { file: { S: '/a' }, at: { S: times[at] ?? '' }, text: { S: TEXT } },
        }),
      ),
    )
    await costs.measure('in one table: query 100 items', 10, () =>
      client.send(
        new QueryCommand({
          TableName: 'by_hand',
          KeyConditionExpression: '#file = :f AND #at BETWEEN :from AND :to',
          ExpressionAttributeNames: { '#at': 'at', '#file': 'file' },
          ExpressionAttributeValues: {
            ':f': { S: '/a' },
            ':from': { S: times[0] ?? '' },
            ':to': { S: times[99] ?? '' },
          },
        }),
      ),
    )
    await costs.measure(`in one table: delete a month of ${ITEMS} items`, 1, async () => {
      for (let at = 0; at < ITEMS; at += 25) {
        const requests = times.slice(at, at + 25).map((time) => ({
          DeleteRequest: { Key: { file: { S: '/a' }, at: { S: time } } },
        }))
        let RequestItems: Record<string, WriteRequest[]> = { by_hand: requests }
        while (Object.keys(RequestItems).length > 0) {
          await clock.sleep(100)
          const { UnprocessedItems = {} } = await client.send(new BatchWriteItemCommand({ RequestItems }))
          RequestItems = UnprocessedItems
        }
      }
    })
    await costs.measure('the first `put` of a month, which creates its table', 1, () =>
      log.put(item(times[0] ?? '')),
    )
    await log.put(item(times.at(-1) ?? ''))
    await costs.measure('`put` of an item of 300 bytes', times.length, (at) => log.put(item(times[at] ?? '')))
    await costs.measure('`get`', 10, (at) => log.get({ file: '/a', at: times[at] ?? '' }))
    const [first = '', last = ''] = MONTHS
    await costs.measure('`query` of 100 items of one month', 10, () =>
      page(log, `${first}-01`, `${first}-20`),
    )
    await costs.measure('`query` of 100 items over a boundary', 10, () =>
      page(log, times[ITEMS - 50] ?? '', `${last}-28`),
    )
    await clock.sleep(60 * 86_400_000)
    await costs.measure('`maintain()`, which creates two tables', 1, () => log.maintain())
    await costs.measure('`maintain()` with nothing to do', 1, () => log.maintain())
    const store = memory()
    await costs.measure(`\`archive\` of a month of ${ITEMS} items`, 1, () =>
      log.archive(`${first}-01`, { store }),
    )
    await costs.measure('`drop` of it', 1, () => log.drop(`${first}-01`, { store }))
  })
  await world.close()
  return costs.rows
}

function timesIn(month: string): readonly string[] {
  const from = Date.parse(`${month}-01T00:00:00Z`)
  return Array.from({ length: ITEMS }, (_, at) => new Date(from + at * 1_000_000).toISOString())
}

function item(at: string) {
  return { file: '/a', at, text: TEXT }
}

function page(log: Rotation, from: string, to: string) {
  return log.query({ key: '/a', from, to, limit: 100 })
}

function memory(): ObjectStore {
  const objects = new Map<string, Uint8Array>()
  return {
    put: async (name, bytes) => {
      objects.set(name, bytes)
    },
    get: async (name) => objects.get(name),
    delete: async (name) => {
      objects.delete(name)
    },
  }
}
