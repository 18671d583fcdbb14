import {
  BatchWriteItemCommand,
  CreateTableCommand,
  QueryCommand,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { SeededRandom, SystemClock } from '@isotherm/runtime'
import { engineLane, lightClient } from '@isotherm/simulation/world'
import { fixedShards, isotherm } from 'isotherm'
import { whole } from '../engine-figures.js'
import { UNREACHED_LIMITS } from '../unreached-limits.js'
import type { Figure } from './figure.js'
import { processorSeconds } from './processor-seconds.js'

const ITEMS = 1_000_000
const SHARDS = 64
const BATCH = 25
const LEAST_PER_SECOND = 1_000_000

const TABLE = {
  TableName: 'log',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'path', AttributeType: 'S' },
    { AttributeName: 'at', AttributeType: 'N' },
  ],
  KeySchema: [
    { AttributeName: 'path', KeyType: 'HASH' },
    { AttributeName: 'at', KeyType: 'RANGE' },
  ],
} as const

/**
 * All pages of a query of one key with many shards. The engine answers in this process, so its time is measured with the same
 * requests again, and does not count.
 */
export async function mergedQuery(): Promise<readonly Figure[]> {
  const clock = new SystemClock()
  const { execute } = engineLane(UNREACHED_LIMITS)
  const queries: object[] = []
  const deliver: typeof execute = (operation, input) => {
    if (operation === 'Query') queries.push(input)
    return execute(operation, input)
  }
  const client = lightClient({ clock, random: new SeededRandom(1), deliver }, 1)
  const db = isotherm(client, {
    tables: { log: { partitionKey: 'path', sortKey: 'at', suffix: 'random', shards: fixedShards(SHARDS) } },
  })
  await client.send(new CreateTableCommand(TABLE as never))
  for (let from = 0; from < ITEMS; from += BATCH) {
    const log = Array.from({ length: BATCH }, (_, at) => ({ PutRequest: { Item: itemAt(from + at) } }))
    await db.send(new BatchWriteItemCommand({ RequestItems: { log } }))
  }
  const began = processorSeconds()
  let items = 0
  let start: QueryCommandOutput['LastEvaluatedKey']
  do {
    const page: QueryCommandOutput = await db.send(queryFrom(start))
    for (const item of page.Items ?? []) {
      if (item.at?.N !== String(items++)) throw new Error(`Item ${items - 1} is not in its place.`)
    }
    start = page.LastEvaluatedKey
  } while (start !== undefined)
  if (items !== ITEMS) throw new Error(`The query found ${items} of ${ITEMS} items.`)
  const merged = processorSeconds()
  for (const query of queries) await execute('Query', query)
  const seconds = merged - began - (processorSeconds() - merged)
  const rate = items / seconds
  return [
    {
      name: `Items that the library merges from ${SHARDS} shards, a second of one processor`,
      measured: whole(rate),
      aim: { text: `over ${whole(LEAST_PER_SECOND)}`, isMet: rate > LEAST_PER_SECOND },
    },
  ]
}

const itemAt = (number: number) => ({ path: { S: '/sale' }, at: { N: String(number) } })

function queryFrom(ExclusiveStartKey: QueryCommandOutput['LastEvaluatedKey']): QueryCommand {
  return new QueryCommand({
    TableName: 'log',
    KeyConditionExpression: '#path = :path',
    ExpressionAttributeNames: { '#path': 'path' },
    ExpressionAttributeValues: { ':path': { S: '/sale' } },
    ...(ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }),
  })
}
