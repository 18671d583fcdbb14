import { QueryCommand, type QueryCommandInput, type QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { compareKeyValues, type Item, type KeyValue } from '@isotherm/semantics'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bareClient } from '../../test/fake-client.js'
import { FakeTables } from '../../test/fake-tables.js'
import { isotherm } from '../client/isotherm.js'
import { fixedShards } from '../scaling/shards.js'

interface Stored {
  readonly shard: number
  readonly sort: KeyValue
  readonly colour: string
  readonly weight: number
}

const MOST_SHARDS = 6

/** Few different values, so that many are equal across shards. Some sort differently in UTF-16 and UTF-8. */
const texts = fc
  .array(fc.constantFrom('a', 'b', '\ud7ff', '\ue000', '\uffff', '😀', '\u{10ffff}'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((characters): KeyValue => ({ S: characters.join('') }))
const numbers = fc.integer({ min: -15, max: 15 }).map((number): KeyValue => ({ N: String(number) }))
const bytes = fc
  .array(fc.constantFrom(0, 1, 254, 255), { minLength: 1, maxLength: 3 })
  .map((values): KeyValue => ({ B: Uint8Array.from(values) }))

/** Applications often have their bytes in Buffers. */
const inBuffer = (value: KeyValue): KeyValue => ('B' in value ? { B: Buffer.from(value.B) } : value)

const cases = fc.oneof(...[texts, numbers, bytes].map((values) => ({ values })).map(caseOf))

function caseOf({ values }: { values: fc.Arbitrary<KeyValue> }) {
  const stored = fc.record({
    shard: fc.integer({ min: 1, max: MOST_SHARDS }),
    sort: values,
    colour: fc.constantFrom('red', 'blue'),
    weight: fc.integer({ min: 0, max: 60 }),
  })
  return fc.record({
    stored: fc.uniqueArray(stored, {
      maxLength: 60,
      selector: ({ shard, sort }) => JSON.stringify([shard, sort]),
    }),
    late: fc.array(stored, { maxLength: 10 }),
    operator: fc.constantFrom('', '=', '<', '<=', '>', '>=', 'BETWEEN', 'begins_with'),
    bounds: fc
      .tuple(fc.oneof(values, values.map(inBuffer)), fc.oneof(values, values.map(inBuffer)))
      .map(([a, b]): readonly [KeyValue, KeyValue] => ((compareKeyValues(a, b) ?? 0) <= 0 ? [a, b] : [b, a])),
    forward: fc.boolean(),
    limit: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
    filter: fc.boolean(),
    pageBytes: fc.constantFrom(50, 200, 1_048_576),
    reportsCapacity: fc.boolean(),
  })
}

type Case = typeof cases extends fc.Arbitrary<infer Value> ? Value : never

function conditionOf({ operator, bounds: [low, high] }: Case): { text: string; values: Item } {
  if (operator === '' || (operator === 'begins_with' && 'N' in low)) return { text: '', values: {} }
  if (operator === 'BETWEEN')
    return { text: ' AND #at BETWEEN :low AND :high', values: { ':low': low, ':high': high } }
  if (operator === 'begins_with') return { text: ' AND begins_with(#at, :low)', values: { ':low': low } }
  return { text: ` AND #at ${operator} :low`, values: { ':low': low } }
}

function isWanted({ operator, bounds: [low, high] }: Case, { sort }: Stored): boolean {
  const order = compareKeyValues(sort, low) ?? 0
  if (operator === '=') return order === 0
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  if (operator === '>') return order > 0
  if (operator === '>=') return order >= 0
  if (operator === 'BETWEEN') return order >= 0 && (compareKeyValues(sort, high) ?? 0) <= 0
  if (operator !== 'begins_with' || 'N' in low) return true
  if ('S' in sort && 'S' in low) return sort.S.startsWith(low.S)
  return 'B' in sort && 'B' in low && Buffer.from(sort.B).indexOf(low.B) === 0
}

function itemOf({ shard, sort, colour, weight }: Stored, key = `k_${shard}`): Item {
  return {
    pk: { S: key },
    at: sort,
    shard: { N: String(shard) },
    colour: { S: colour },
    text: { S: 'x'.repeat(weight) },
  }
}

function inputOf(scenario: Case): QueryCommandInput {
  const { text, values } = conditionOf(scenario)
  return {
    TableName: 'log',
    KeyConditionExpression: `pk = :pk${text}`,
    ExpressionAttributeValues: {
      ...values,
      ':pk': { S: 'k' },
      ...(scenario.filter ? { ':red': { S: 'red' } } : {}),
    },
    ScanIndexForward: scenario.forward,
    ...(text === '' ? {} : { ExpressionAttributeNames: { '#at': 'at' } }),
    ...(scenario.filter ? { FilterExpression: 'colour = :red' } : {}),
    ...(scenario.limit === undefined ? {} : { Limit: scenario.limit }),
  }
}

function setUp({ stored, pageBytes, reportsCapacity }: Case, count: () => number) {
  const tables = new FakeTables().create('log', { partitionKey: 'pk', sortKey: 'at' })
  Object.assign(tables, { pageBytes, reportsCapacity })
  for (const each of stored) tables.execute('PutItem', { TableName: 'log', Item: itemOf(each) })
  const db = isotherm(bareClient(tables), {
    tables: { log: { partitionKey: 'pk', sortKey: 'at', suffix: 'random', shards: fixedShards(count) } },
  })
  return { tables, db }
}

async function allPages(
  db: ReturnType<typeof bareClient>,
  input: QueryCommandInput,
  between: () => void = () => {},
): Promise<QueryCommandOutput[]> {
  const pages: QueryCommandOutput[] = []
  let ExclusiveStartKey: QueryCommandInput['ExclusiveStartKey']
  do {
    if (pages.length > 500) throw new Error('the query does not end')
    const next = ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }
    const page: QueryCommandOutput = await db.send(new QueryCommand({ ...input, ...next }))
    pages.push(page)
    ExclusiveStartKey = page.LastEvaluatedKey
    between()
  } while (ExclusiveStartKey !== undefined)
  return pages
}

function inOrder(stored: readonly Stored[], forward: boolean): Stored[] {
  const direction = forward ? 1 : -1
  return stored.toSorted((a, b) => direction * (compareKeyValues(a.sort, b.sort) ?? 0) || a.shard - b.shard)
}

const name = ({ shard, sort }: Stored) => JSON.stringify([String(shard), sort])
const nameOfItem = (item: Record<string, unknown>) =>
  JSON.stringify([(item.shard as { N: string }).N, item.at])

describe('a query of a sharded key', () => {
  it('returns every requested item once and in order, in full pages with logical keys', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (scenario) => {
        const { db } = setUp(scenario, () => MOST_SHARDS)
        const pages = await allPages(db, inputOf(scenario))
        const wanted = inOrder(scenario.stored, scenario.forward)
          .filter((each) => isWanted(scenario, each))
          .filter(({ colour }) => !scenario.filter || colour === 'red')
        const items = pages.flatMap(({ Items = [] }) => Items)
        expect(items.map(nameOfItem)).toEqual(wanted.map(name))
        expect(items.every(({ pk }) => pk?.S === 'k')).toBe(true)
        for (const [index, { Items = [], Count, ScannedCount = 0 }] of pages.entries()) {
          expect(Count).toBe(Items.length)
          expect(ScannedCount).toBeGreaterThanOrEqual(Items.length)
          const limit = scenario.limit ?? Number.POSITIVE_INFINITY
          expect(ScannedCount).toBeLessThanOrEqual(limit)
          if (!scenario.filter && index < pages.length - 1)
            expect(Items.length).toBe(Math.min(limit, wanted.length))
        }
      }),
      { numRuns: 400 },
    )
  })

  it('misses and repeats nothing when shards and items are added between pages', async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.array(fc.nat(2), { maxLength: 6 }), async (scenario, growth) => {
        let shards = Math.max(1, ...scenario.stored.map(({ shard }) => shard)) - 1
        const held = scenario.stored.filter(({ shard }) => shard <= shards)
        const late = scenario.late.toReversed()
        shards = Math.max(1, shards)
        const { db, tables } = setUp({ ...scenario, stored: held }, () => shards)
        const known = new Set(held.map(name))
        const pages = await allPages(db, inputOf(scenario), () => {
          shards += growth.pop() ?? 0
          const added = late.pop()
          if (added === undefined) return
          const each = { ...added, shard: ((added.shard - 1) % shards) + 1 }
          if (!known.has(name(each))) tables.execute('PutItem', { TableName: 'log', Item: itemOf(each) })
        })
        const names = pages.flatMap(({ Items = [] }) => Items.map(nameOfItem))
        const wanted = inOrder(held, scenario.forward)
          .filter((each) => isWanted(scenario, each))
          .filter(({ colour }) => !scenario.filter || colour === 'red')
        expect(new Set(names).size).toBe(names.length)
        expect(names.filter((each) => known.has(each))).toEqual(wanted.map(name))
      }),
      { numRuns: 400 },
    )
  })

  it('counts what it would return, and ends its pages at the same positions', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (scenario) => {
        const { db } = setUp(scenario, () => MOST_SHARDS)
        const input = inputOf(scenario)
        const counted = await allPages(db, { ...input, Select: 'COUNT' })
        const given = await allPages(db, input)
        const total = (pages: readonly QueryCommandOutput[]) =>
          pages.reduce((sum, { Count = 0 }) => sum + Count, 0)
        expect(total(counted)).toBe(total(given))
        expect(counted.every(({ Items }) => Items === undefined)).toBe(true)
      }),
      { numRuns: 100 },
    )
  })
})
