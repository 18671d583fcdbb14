import { PutItemCommand, QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { watchRequests } from '../../test/sent-requests.js'
import { shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards } from '../scaling/shards.js'

const ITEMS = 120
const LIMIT = 10
/** So long that a unit pays for four items. */
const TEXT = { S: 'x'.repeat(1_000) }
/** Two of each shard, as for every page with a filter. */
const MOST_REQUESTS = 2 * 2

const HISTORY = ['10:2', '11:1']
const SHRINKING = {
  random: { shards: 1, lastUpdated: 11, history: HISTORY },
  calculated: { shards: 1, lastUpdated: 11, history: HISTORY, phase: 'moved', from: 2, to: 1 },
} as const

/** All pages of a filtered query of an index, of a key whose items are nearly all still in the shard that they leave. */
async function pagesWhileShrinking(suffix: 'random' | 'calculated', FilterExpression: string) {
  const engine = await shardedEngine(
    { suffix, shards: dynamicShards(), indexes: { by_rank: { sortKey: 'rank' } } },
    { global: { by_rank: ['pk', 'rank:N'] } },
  )
  const { client, clock, process, setState, close } = engine
  const pages: QueryCommandOutput[] = []
  const requests: number[] = []
  await clock.run(async () => {
    await setState(SHRINKING[suffix])
    for (let number = 0; number < ITEMS; number++) {
      const pk = { S: number % 40 === 0 ? 'k_1' : 'k_2' }
      // Four items have the same sort key of the index.
      const attributes = {
        rank: { N: String(Math.floor(number / 4)) },
        odd: { BOOL: number % 2 === 1 },
        text: TEXT,
      }
      const Item = { pk, sk: { N: String(number) }, ...attributes }
      await client.send(new PutItemCommand({ TableName: 'log', Item }))
    }
    let sent = 0
    watchRequests(client, {
      before: ({ operation }) => {
        if (operation === 'Query') sent += 1
      },
    })
    const db = process()
    let start: Pick<QueryCommandOutput, 'LastEvaluatedKey'> | undefined = {}
    while (start !== undefined) {
      sent = 0
      const page: QueryCommandOutput = await db.send(
        new QueryCommand({
          TableName: 'log',
          IndexName: 'by_rank',
          KeyConditionExpression: 'pk = :k',
          FilterExpression,
          ExpressionAttributeValues: { ':k': { S: 'k' }, ':true': { BOOL: true } },
          Limit: LIMIT,
          ExclusiveStartKey: start.LastEvaluatedKey,
        }),
      )
      pages.push(page)
      requests.push(sent)
      start = page.LastEvaluatedKey === undefined ? undefined : page
    }
  })
  await close()
  return { pages, requests }
}

describe.each(['random', 'calculated'] as const)(
  'a page of an index with a filter, while a key with a %s suffix shrinks to one shard,',
  (suffix) => {
    it('reads a bounded amount if the filter excludes everything', async () => {
      const { pages, requests } = await pagesWhileShrinking(
        suffix,
        'attribute_exists(absent) AND odd = :true',
      )
      expect(Math.max(...requests)).toBeLessThanOrEqual(MOST_REQUESTS)
      expect(pages.every(({ Count, ScannedCount = 0 }) => Count === 0 && ScannedCount <= LIMIT)).toBe(true)
    })

    it('is continued by pages that return each item once', async () => {
      const { pages, requests } = await pagesWhileShrinking(suffix, 'odd = :true')
      expect(Math.max(...requests)).toBeLessThanOrEqual(MOST_REQUESTS)
      const items = pages.flatMap(({ Items = [] }) => Items)
      const numbers = items.map(({ sk }) => Number(sk?.N)).sort((a, b) => a - b)
      expect(numbers).toEqual(Array.from({ length: ITEMS / 2 }, (_, index) => 2 * index + 1))
      const ranks = items.map(({ rank }) => Number(rank?.N))
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
    })
  },
)
