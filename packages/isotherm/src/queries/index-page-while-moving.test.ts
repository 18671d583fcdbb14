import {
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards } from '../scaling/shards.js'

/** So many items have one sort key of the index, of which there are three: 0, 1 and 2. */
const ITEMS_OF_A_RANK = 30
const NUMBERS = Array.from({ length: 3 * ITEMS_OF_A_RANK }, (_, number) => number)
const MAX_PAGES = 200

const HISTORY = ['10:4', '11:2']
const SHRINKING = {
  random: { shards: 2, lastUpdated: 11, history: HISTORY },
  calculated: { shards: 2, lastUpdated: 11, history: HISTORY, phase: 'moved', from: 4, to: 2 },
} as const

const rankOf = (number: number) => Math.floor(number / ITEMS_OF_A_RANK)

const CONDITIONS: readonly (readonly [string, (rank: number) => boolean])[] = [
  ['#rank >= :low', () => true],
  ['#rank <= :high', () => true],
  ['#rank BETWEEN :low AND :high', () => true],
  ['#rank > :low', (rank) => rank > 0],
  ['#rank < :high', (rank) => rank < 2],
]

interface Asked {
  readonly condition: string
  readonly forward: boolean
  readonly filter: string | undefined
  readonly limit: number
}

/** The items of all pages, or the number of pages if they do not end. */
async function numbersIn(db: DynamoDBClient, { condition, forward, filter, limit }: Asked) {
  const found: number[] = []
  let ExclusiveStartKey: QueryCommandOutput['LastEvaluatedKey']
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page: QueryCommandOutput = await db.send(
      new QueryCommand({
        TableName: 'log',
        IndexName: 'by_rank',
        KeyConditionExpression: `pk = :k AND ${condition}`,
        FilterExpression: filter,
        ExpressionAttributeNames: { '#rank': 'rank' },
        ExpressionAttributeValues: {
          ':k': { S: 'k' },
          ...(condition.includes(':low') ? { ':low': { N: '0' } } : {}),
          ...(condition.includes(':high') ? { ':high': { N: '2' } } : {}),
        },
        ScanIndexForward: forward,
        Limit: limit,
        ExclusiveStartKey,
      }),
    )
    found.push(...(page.Items ?? []).map(({ sk }) => Number(sk?.N)))
    ExclusiveStartKey = page.LastEvaluatedKey
    if (ExclusiveStartKey === undefined) return found.sort((a, b) => a - b)
  }
  return MAX_PAGES
}

describe.each(['random', 'calculated'] as const)(
  'while a key with a %s suffix loses shards, the pages of an index with many equal sort keys',
  (suffix) => {
    it.each([undefined, 'attribute_exists(red)'])(
      'end, and return each item of a range once (filter: %s)',
      async (filter) => {
        const engine = await shardedEngine(
          { suffix, shards: dynamicShards(), indexes: { by_rank: { sortKey: 'rank' } } },
          { global: { by_rank: ['pk', 'rank:N'] } },
        )
        const { client, clock, process, setState, close } = engine
        const isRed = (number: number) => number % 3 === 0
        await clock.run(async () => {
          await setState(SHRINKING[suffix])
          for (const number of NUMBERS) {
            const key = { pk: { S: `k_${1 + (number % 4)}` }, sk: { N: String(number) } }
            const Item = {
              ...key,
              rank: { N: String(rankOf(number)) },
              text: { S: 'x'.repeat(2_000) },
              ...(isRed(number) ? { red: { BOOL: true } } : {}),
            }
            await client.send(new PutItemCommand({ TableName: 'log', Item }))
          }
          const db = process()
          for (const [condition, isAsked] of CONDITIONS) {
            const wanted = NUMBERS.filter(
              (number) => isAsked(rankOf(number)) && (filter === undefined || isRed(number)),
            )
            for (const forward of [true, false]) {
              const asked = { condition, forward, filter, limit: 7 }
              expect([asked, await numbersIn(db, asked)]).toEqual([asked, wanted])
            }
          }
        })
        await close()
      },
    )
  },
)
