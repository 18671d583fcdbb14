import {
  type AttributeValue,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { isotherm } from '../client/isotherm.js'
import type { ShardedTableOptions } from '../client/options.js'
import { fixedShards } from '../scaling/shards.js'
import { handMade } from '../writes/hand-made.js'
import type { HandMadeItem } from '../writes/own-place.js'

/** Characters before and after the delimiter, the delimiter itself, digits, and characters of several bytes. */
const CHARACTERS = ['0', '1', '2', '#', 'A', '_', 'a', 'é', '😀']

const keys = fc
  .array(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength: 5 })
  .map((all) => all.join(''))
/** Keys such as those of single-table designs, many of which are prefixes of others. */
const designed = fc
  .tuple(fc.constantFrom('USER#', 'USER_', 'ORDER#'), fc.integer({ min: 0, max: 130 }))
  .map(([kind, number]) => kind + number)

const cases = fc.record({
  keys: fc.uniqueArray(fc.oneof(keys, designed), { maxLength: 40 }),
  operator: fc.constantFrom('', 'begins_with', 'BETWEEN', '<', '<=', '>', '>='),
  bounds: fc.tuple(
    fc.oneof(keys, designed, fc.constantFrom('USER', 'USER#', 'USER#1', 'O')),
    fc.oneof(keys, designed),
  ),
  forward: fc.boolean(),
  limit: fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
  filter: fc.boolean(),
  show: fc.constantFrom('whole', 'projected', 'count'),
})

type Case = typeof cases extends fc.Arbitrary<infer Value> ? Value : never

const BY_HAND = {
  name: 'by hand',
  acceptLookalikes: true,
  shardOf: ({ partitionKey, shards }: HandMadeItem) => partitionKey.length % shards,
}

const DESIGNS: readonly (readonly [string, Partial<ShardedTableOptions>])[] = [
  ['a calculated suffix', { suffix: 'calculated', shards: fixedShards(12) }],
  ['a random suffix', { suffix: 'random', shards: fixedShards(3) }],
  ['an adopted table', { suffix: 'random', shards: fixedShards(12), adopt: true, delimiter: '~' }],
  [
    'a table sharded by hand, with leading zeros',
    { suffix: handMade({ ...BY_HAND, delimiter: '#', first: 0, digits: 2 }), shards: fixedShards(12) },
  ],
  [
    'a table sharded by hand, with labels and no delimiter',
    {
      suffix: handMade({ ...BY_HAND, delimiter: '', labels: ['1', 'a', '😀'], shardOf: 'random' }),
      shards: fixedShards(3),
    },
  ],
]

function inputOf({ operator, bounds: [one, other], forward, limit, filter, show }: Case): QueryCommandInput {
  const [low, high] = one < other ? [one, other] : [other, one]
  const condition =
    operator === ''
      ? ''
      : operator === 'BETWEEN'
        ? ' AND pk BETWEEN :low AND :high'
        : operator === 'begins_with'
          ? ' AND begins_with(pk, :one)'
          : ` AND pk ${operator} :one`
  const used = { ':low': low, ':high': high, ':one': one }
  const values = Object.entries(used).filter(([name]) => condition.includes(name))
  return {
    TableName: 'things',
    IndexName: 'inverted',
    KeyConditionExpression: `sk = :s${condition}`,
    ExpressionAttributeValues: {
      ':s': { S: 's' },
      ...Object.fromEntries(values.map(([name, S]) => [name, { S }])),
      ...(filter ? { ':even': { BOOL: true } } : {}),
    },
    ScanIndexForward: forward,
    ...(filter ? { FilterExpression: 'even = :even' } : {}),
    ...(limit === undefined ? {} : { Limit: limit }),
    ...(show === 'projected' ? { ProjectionExpression: 'amount' } : {}),
    ...(show === 'count' ? { Select: 'COUNT' as const } : {}),
  }
}

async function allPages(db: DynamoDBClient, input: QueryCommandInput): Promise<QueryCommandOutput[]> {
  const pages: QueryCommandOutput[] = []
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined
  do {
    const start = ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }
    const page: QueryCommandOutput = await db.send(new QueryCommand({ ...input, ...start }))
    pages.push(page)
    ExclusiveStartKey = page.LastEvaluatedKey
    if (pages.length > 200) throw new Error('The query does not end.')
  } while (ExclusiveStartKey !== undefined)
  return pages
}

async function compared(scenario: Case, options: Partial<ShardedTableOptions>): Promise<void> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const twin = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const [client, plain] = [await warmedUp(local.client()), await warmedUp(twin.client())]
  const db = isotherm(client, {
    tables: {
      things: {
        partitionKey: 'pk',
        sortKey: 'sk',
        suffix: 'calculated',
        shards: fixedShards(3),
        indexes: { inverted: { sortKey: 'pk' } },
        ...options,
      },
    },
    clock,
    random: new SeededRandom(2),
  })
  await clock.run(async () => {
    const table = createTable('things', ['pk', 'sk'], { global: { inverted: ['sk', 'pk'] } })
    for (const each of [client, plain]) await each.send(table)
    for (const [number, key] of scenario.keys.entries()) {
      for (const sort of ['s', 'other']) {
        const Item = {
          pk: { S: key },
          sk: { S: sort },
          amount: { N: String(number) },
          even: { BOOL: number % 2 === 0 },
        }
        for (const each of [db, plain]) await each.send(new PutItemCommand({ TableName: 'things', Item }))
      }
    }
    const input = inputOf(scenario)
    const [pages, expected] = [await allPages(db, input), await allPages(plain, input)]
    const itemsOf = (all: readonly QueryCommandOutput[]) => all.flatMap(({ Items = [] }) => Items)
    const countOf = (all: readonly QueryCommandOutput[]) => all.reduce((sum, { Count = 0 }) => sum + Count, 0)
    expect(itemsOf(pages)).toEqual(itemsOf(expected))
    expect(countOf(pages)).toBe(countOf(expected))
    for (const [index, { Count, ScannedCount = 0 }] of pages.entries()) {
      const { limit = Number.POSITIVE_INFINITY, filter } = scenario
      expect(ScannedCount).toBeLessThanOrEqual(limit)
      if (!filter && index < pages.length - 1) expect(Count).toBe(limit)
    }
  })
  await local.close()
  await twin.close()
}

describe.each(DESIGNS)('a query of an inverted index, with %s,', (_name, options) => {
  it('returns what it would return without shards, in the same order, in full pages', async () => {
    await fc.assert(
      fc.asyncProperty(cases, (scenario) => compared(scenario, options)),
      { numRuns: 60 },
    )
  }, 120_000)
})
