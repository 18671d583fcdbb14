import { QueryCommand, type QueryCommandInput, type QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { canonicalNumber, compareKeyValues, type Item, type KeyValue } from '@isotherm/semantics'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bareClient } from '../../test/fake-client.js'
import { FakeTables } from '../../test/fake-tables.js'
import { isotherm } from '../client/isotherm.js'
import { jump } from '../protocol/placement/jump.js'
import { placeHash } from '../protocol/placement/place-hash.js'
import { dynamicShards } from '../scaling/shards.js'

/** `cacheTtl` and `lateRequests`, in milliseconds. */
const PHASE = 15_001

const HIDDEN = ['isotherm_moving', 'isotherm_moved']

const texts = fc
  .array(fc.constantFrom('a', 'b', '\ue000', '😀'), { minLength: 1, maxLength: 3 })
  .map((characters): KeyValue => ({ S: characters.join('') }))
const numbers = fc
  .integer({ min: -30, max: 30 })
  .map((number): KeyValue => ({ N: canonicalNumber(String(number)) }))
const bytes = fc
  .array(fc.constantFrom(0, 1, 254, 255), { minLength: 1, maxLength: 3 })
  .map((values): KeyValue => ({ B: Uint8Array.from(values) }))

const asked = {
  forward: fc.boolean(),
  limit: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
  filter: fc.boolean(),
  bounds: fc.option(fc.tuple(fc.nat(), fc.nat()), { nil: undefined }),
  /** Between both bounds, or behind or before one of them. */
  comparison: fc.constantFrom('BETWEEN', '>', '<'),
  consistent: fc.boolean(),
  pageBytes: fc.constantFrom(60, 300, 1_048_576),
  /** How many items are moved before each request, one after the other. */
  pace: fc.array(fc.nat(3), { minLength: 1, maxLength: 12 }),
  show: fc.constantFrom('whole', 'projected', 'count'),
}

interface Asked {
  readonly forward: boolean
  readonly limit: number | undefined
  readonly filter: boolean
  readonly bounds: readonly [number, number] | undefined
  readonly comparison: 'BETWEEN' | '>' | '<'
  readonly consistent: boolean
  readonly pageBytes: number
  readonly pace: readonly number[]
  readonly show: string
}

/** One logical item that is being moved. */
interface Movable {
  readonly sort: KeyValue
  readonly colour: string
  readonly from: number
  readonly to: number
  step: 'there' | 'marked' | 'moved'
}

const order = (a: { sort: KeyValue }, b: { sort: KeyValue }) => compareKeyValues(a.sort, b.sort) ?? 0

function keyOf({ sort }: Movable, shard: number): Item {
  return { pk: { S: `k_${shard}` }, at: sort }
}

function itemOf(item: Movable, shard: number): Item {
  const { from, to, colour } = item
  return {
    ...keyOf(item, shard),
    colour: { S: colour },
    origin: { N: String(from) },
    target: { N: String(to) },
  }
}

/** Executes the next step of a move: marks the item, or moves it. */
function advance(tables: FakeTables, item: Movable): void {
  const mark = `${item.to}:1`
  const put = (stored: Item) => tables.execute('PutItem', { TableName: 'log', Item: stored })
  if (item.step === 'there') {
    put({ ...itemOf(item, item.from), isotherm_moving: { S: mark } })
    item.step = 'marked'
  } else if (item.step === 'marked') {
    put({ ...itemOf(item, item.to), isotherm_moved: { S: `${item.from}:${mark}` } })
    tables.remove('log', keyOf(item, item.from))
    item.step = 'moved'
  }
}

function setUp(scenario: Asked, items: readonly Movable[], state: Item, suffix: 'random' | 'calculated') {
  const tables = new FakeTables()
    .create('log', { partitionKey: 'pk', sortKey: 'at' })
    .create('log_shard_map', { partitionKey: 'pk' })
  tables.pageBytes = scenario.pageBytes
  const setState = (next: Item) =>
    tables.execute('PutItem', { TableName: 'log_shard_map', Item: { ...next, pk: { S: 'k' } } })
  setState(state)
  for (const item of items) tables.execute('PutItem', { TableName: 'log', Item: itemOf(item, item.from) })
  const waiting = items.filter(({ from, to }) => from !== to)
  let request = 0
  tables.beforeQuery = () => {
    const steps = scenario.pace[request++ % scenario.pace.length] ?? 0
    for (let step = 0; step < steps; step++) {
      const item = waiting[(request * 7 + step * 3) % Math.max(1, waiting.length)]
      if (item !== undefined) advance(tables, item)
    }
  }
  const clock = new VirtualClock()
  const db = isotherm(bareClient(tables), {
    tables: { log: { partitionKey: 'pk', sortKey: 'at', suffix, shards: dynamicShards() } },
    clock,
    random: new SeededRandom(3),
  })
  return { tables, db, setState, clock }
}

function inputOf(asked: Asked, items: readonly Movable[]) {
  const { forward, limit, filter, consistent, show, bounds, comparison } = asked
  const sorted = items.toSorted(order).map(({ sort }) => sort)
  const ends = bounds?.map((bound) => sorted[bound % Math.max(1, sorted.length)])
  const [low, high] = ends?.toSorted((a, b) => (a && b ? (compareKeyValues(a, b) ?? 0) : 0)) ?? []
  const isBounded = low !== undefined && high !== undefined
  const isBetween = isBounded && comparison === 'BETWEEN'
  const condition = isBetween ? '#at BETWEEN :low AND :high' : `#at ${comparison} :low`
  const input: QueryCommandInput = {
    TableName: 'log',
    KeyConditionExpression: isBounded ? `pk = :pk AND ${condition}` : 'pk = :pk',
    ...(isBounded ? { ExpressionAttributeNames: { '#at': 'at' } } : {}),
    ExpressionAttributeValues: {
      ':pk': { S: 'k' },
      ...(isBounded ? { ':low': low } : {}),
      ...(isBetween ? { ':high': high } : {}),
      ...(filter ? { ':red': { S: 'red' } } : {}),
    },
    ScanIndexForward: forward,
    ConsistentRead: consistent,
    ...(filter ? { FilterExpression: 'colour = :red' } : {}),
    ...(limit === undefined ? {} : { Limit: limit }),
    ...(show === 'projected' ? { ProjectionExpression: 'origin, isotherm_moving, colour' } : {}),
    ...(show === 'count' ? { Select: 'COUNT' } : {}),
  }
  const isInRange = (sort: KeyValue) => {
    const [fromLow, fromHigh] = [low, high].map((bound) => (bound && compareKeyValues(sort, bound)) ?? 0)
    if (comparison === 'BETWEEN') return Number(fromLow) >= 0 && Number(fromHigh) <= 0
    return comparison === '>' ? Number(fromLow) > 0 : Number(fromLow) < 0
  }
  const isWanted = ({ sort, colour }: Movable) =>
    (!filter || colour === 'red') && (!isBounded || isInRange(sort))
  return { input, wanted: items.filter(isWanted) }
}

async function allPages(db: ReturnType<typeof bareClient>, input: QueryCommandInput, between = () => {}) {
  const pages: QueryCommandOutput[] = []
  let ExclusiveStartKey: QueryCommandInput['ExclusiveStartKey']
  do {
    if (pages.length > 500) throw new Error('the query does not end')
    const start = ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }
    const page: QueryCommandOutput = await db.send(new QueryCommand({ ...input, ...start }))
    pages.push(page)
    ExclusiveStartKey = page.LastEvaluatedKey
    between()
  } while (ExclusiveStartKey !== undefined)
  return pages
}

function requireEachOnce(
  scenario: Asked,
  pages: readonly QueryCommandOutput[],
  wanted: readonly Movable[],
): void {
  const direction = scenario.forward ? 1 : -1
  const inOrder = wanted.toSorted((a, b) => direction * order(a, b) || a.from - b.from)
  const limit = scenario.limit ?? Number.POSITIVE_INFINITY
  for (const { Count = 0, Items } of pages) {
    expect(Count).toBeLessThanOrEqual(limit)
    if (scenario.show !== 'count') expect(Items).toHaveLength(Count)
  }
  if (scenario.show === 'count') {
    expect(pages.reduce((sum, { Count = 0 }) => sum + Count, 0)).toBe(inOrder.length)
    return
  }
  const items = pages.flatMap(({ Items = [] }) => Items)
  expect(items.map(({ origin }) => Number(origin?.N))).toEqual(inOrder.map(({ from }) => from))
  for (const item of items) expect(Object.keys(item).filter((name) => HIDDEN.includes(name))).toEqual([])
  if (scenario.show === 'projected') {
    expect(items.every((item) => !('at' in item) && !('pk' in item))).toBe(true)
    return
  }
  expect(items.map(({ at }) => at)).toEqual(inOrder.map(({ sort }) => sort))
  expect(items.every(({ pk }) => pk?.S === 'k')).toBe(true)
}

const stateOf = (shards: number, history: readonly number[], change: Item = {}): Item => ({
  number_of_shards: { N: String(shards) },
  last_updated: { N: String(10 + history.length) },
  shard_history: { SS: history.map((count, index) => `${10 + index}:${count}`) },
  ...change,
})

const changeOf = (phase: string, from: number, to: number): Item => ({
  phase: { S: phase },
  from_shards: { N: String(from) },
  to_shards: { N: String(to) },
})

const placeOf = (sort: KeyValue, shards: number) => jump(placeHash([sort]), shards) + 1

const calculatedCases = fc.oneof(
  ...[texts, numbers, bytes].map((values) =>
    fc.record({
      ...asked,
      sorts: fc.uniqueArray(values, {
        maxLength: 40,
        comparator: (a, b) => compareKeyValues(a, b) === 0,
      }),
      colours: fc.array(fc.constantFrom('red', 'blue'), { minLength: 1, maxLength: 5 }),
      counts: fc
        .tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 7 }))
        .filter(([from, to]) => from !== to),
      phase: fc.constantFrom('announced', 'moved'),
    }),
  ),
)

const calculatedItems = ({
  sorts,
  colours,
  counts: [from, to],
}: {
  sorts: KeyValue[]
  colours: string[]
  counts: [number, number]
}) =>
  sorts.map(
    (sort, index): Movable => ({
      sort,
      colour: colours[index % colours.length] ?? 'red',
      from: placeOf(sort, from),
      to: placeOf(sort, to),
      step: 'there',
    }),
  )

describe('a query of a calculated key whose count changes', () => {
  it('returns every item once and in order, for any moves between its pages and requests', async () => {
    await fc.assert(
      fc.asyncProperty(calculatedCases, async (scenario) => {
        const items = calculatedItems(scenario)
        const [from, to] = scenario.counts
        const shards = scenario.phase === 'moved' ? to : from
        const state = stateOf(shards, [from, to], changeOf(scenario.phase, from, to))
        const { db } = setUp(scenario, items, state, 'calculated')
        const { input, wanted } = inputOf(scenario, items)
        requireEachOnce(scenario, await allPages(db, input), wanted)
      }),
      { numRuns: 250 },
    )
  }, 60_000)

  it('continues through all phases of the change with one cursor', async () => {
    await fc.assert(
      fc.asyncProperty(
        calculatedCases,
        fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }),
        async (scenario, waits) => {
          const items = calculatedItems(scenario)
          const [from, to] = scenario.counts
          const { db, tables, setState, clock } = setUp(
            { ...scenario, pace: [0] },
            items,
            stateOf(from, [from]),
            'calculated',
          )
          const { input, wanted } = inputOf({ ...scenario, consistent: true }, items)
          const [first = 0, second = 0, third = 0] = waits
          let page = 0
          const pages = await allPages(db, input, () => {
            if (page === first) setState(stateOf(from, [from, to], changeOf('announced', from, to)))
            // Each phase outlasts what processes know of the one before.
            if (page === first + 1 + second || page === first + 5 + second + third) clock.advance(PHASE)
            if (page === first + 1 + second) setState(stateOf(to, [from, to], changeOf('moved', from, to)))
            if (page > first + 1 + second)
              for (const item of items) if (item.from !== item.to) advance(tables, item)
            if (page === first + 5 + second + third) setState(stateOf(to, [to]))
            page += 1
          })
          requireEachOnce(scenario, pages, wanted)
        },
      ),
      { numRuns: 200 },
    )
  }, 60_000)
})

const drained = fc.oneof(
  ...[texts, numbers, bytes].map((values) =>
    fc.record({
      ...asked,
      shards: fc.integer({ min: 1, max: 4 }),
      readable: fc.integer({ min: 5, max: 8 }),
      stored: fc.uniqueArray(
        fc.record({
          sort: values,
          from: fc.integer({ min: 1, max: 8 }),
          to: fc.integer({ min: 1, max: 4 }),
          colour: fc.constantFrom('red', 'blue'),
        }),
        { maxLength: 40, selector: ({ sort, from }) => JSON.stringify([sort, from]) },
      ),
    }),
  ),
)

type Drained = typeof drained extends fc.Arbitrary<infer Value> ? Value : never

/** Each item of a retired shard moves to an active shard that has no item with its sort key, and will not get one. */
function drainedItems({ stored, shards, readable }: Drained, isUnique: boolean): Movable[] {
  const taken = new Set<string>()
  const items: Movable[] = []
  const name = (sort: KeyValue, shard: number) => JSON.stringify([sort, isUnique ? 0 : shard])
  const placed = stored.map((each) => ({ ...each, from: ((each.from - 1) % readable) + 1 }))
  for (const { sort, from, colour } of placed) {
    if (from > shards || taken.has(name(sort, from))) continue
    taken.add(name(sort, from))
    items.push({ sort, colour, from, to: from, step: 'there' })
  }
  for (const { sort, from, to, colour } of placed) {
    const target = ((to - 1) % shards) + 1
    if (from <= shards || taken.has(name(sort, target)) || taken.has(name(sort, from))) continue
    taken.add(name(sort, target)).add(name(sort, from))
    items.push({ sort, colour, from, to: target, step: 'there' })
  }
  return items
}

describe('a query of a random key whose retired shards are drained', () => {
  it('returns every item once and in order, including those with equal sort keys', async () => {
    await fc.assert(
      fc.asyncProperty(drained, async (scenario) => {
        const items = drainedItems(scenario, false)
        const { shards, readable } = scenario
        const { db } = setUp(scenario, items, stateOf(shards, [readable, shards]), 'random')
        const { input, wanted } = inputOf(scenario, items)
        requireEachOnce(scenario, await allPages(db, input), wanted)
      }),
      { numRuns: 250 },
    )
  }, 60_000)

  it('misses nothing while moves of two drains are completed after the key has grown again', async () => {
    await fc.assert(
      fc.asyncProperty(drained, fc.integer({ min: 5, max: 9 }), async (scenario, grown) => {
        const { shards, readable } = scenario
        const lower = Math.max(1, shards - 1)
        const items = drainedItems(scenario, true).map((item) =>
          // Some items leave a shard that only the second drain empties.
          item.from > lower && item.from <= shards ? { ...item, to: 1 } : item,
        )
        const { db } = setUp(scenario, items, stateOf(grown, [readable, shards, lower, grown]), 'random')
        const { input, wanted } = inputOf(scenario, items)
        requireEachOnce(scenario, await allPages(db, input), wanted)
      }),
      { numRuns: 200 },
    )
  }, 60_000)

  it('continues with one cursor when the shards are retired, drained and forgotten between its pages', async () => {
    await fc.assert(
      fc.asyncProperty(drained, fc.nat(3), async (scenario, first) => {
        const items = drainedItems(scenario, true)
        const { shards, readable } = scenario
        const { db, tables, setState } = setUp(
          { ...scenario, pace: [0] },
          items,
          stateOf(readable, [readable]),
          'random',
        )
        const { input, wanted } = inputOf({ ...scenario, consistent: true }, items)
        let page = 0
        const pages = await allPages(db, input, () => {
          if (page === first) setState(stateOf(shards, [readable, shards]))
          if (page > first) for (const item of items) if (item.from !== item.to) advance(tables, item)
          if (page === first + 4) setState(stateOf(shards, [shards]))
          page += 1
        })
        requireEachOnce(scenario, pages, wanted)
      }),
      { numRuns: 200 },
    )
  }, 60_000)
})
