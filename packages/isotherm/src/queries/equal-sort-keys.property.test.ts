import { PutItemCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { INDEXED_DESIGNS, type IndexedDesign, IndexedTwins } from '../../test/indexed-twins.js'
import type { StoredItem } from '../../test/sharded-engine.js'

const RUNS = inject('trials') === 'many' ? 12 : 4

const RANGES = [
  undefined,
  '#at = :low',
  '#at < :high',
  '#at <= :high',
  '#at > :low',
  '#at >= :low',
  '#at BETWEEN :low AND :high',
] as const

interface Asked {
  readonly range: (typeof RANGES)[number]
  readonly low: number
  readonly width: number
  readonly isFiltered: boolean
  readonly forward: boolean
  readonly limit: number | undefined
}

const file = fc.record({
  folder: fc.constantFrom('a', 'b'),
  at: fc.integer({ min: 1, max: 4 }),
  good: fc.boolean(),
})
const asked: fc.Arbitrary<Asked> = fc.record({
  range: fc.constantFrom(...RANGES),
  low: fc.integer({ min: 1, max: 4 }),
  width: fc.integer({ min: 0, max: 3 }),
  isFiltered: fc.boolean(),
  forward: fc.boolean(),
  limit: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
})

function inputOf({ range, low, width, isFiltered, forward, limit }: Asked): Partial<QueryCommandInput> {
  const bounds = { ':low': { N: String(low) }, ':high': { N: String(low + width) } }
  const used = Object.entries(bounds).filter(([name]) => range?.includes(name))
  return {
    KeyConditionExpression: range === undefined ? '#status = :status' : `#status = :status AND ${range}`,
    ExpressionAttributeNames: { '#status': 'status', ...(range === undefined ? {} : { '#at': 'at' }) },
    ExpressionAttributeValues: {
      ':status': { S: 'open' },
      ...Object.fromEntries(used),
      ...(isFiltered ? { ':good': { BOOL: true } } : {}),
    },
    ...(isFiltered ? { FilterExpression: 'good = :good' } : {}),
    ScanIndexForward: forward,
    Limit: limit,
  }
}

async function putAll(twins: IndexedTwins, items: readonly StoredItem[]): Promise<void> {
  for (const Item of items) {
    await twins.db.send(new PutItemCommand({ TableName: 'files', Item }))
    await twins.plain.send(new PutItemCommand({ TableName: 'plain', Item }))
  }
}

function timesOf(items: readonly StoredItem[]): readonly number[] {
  return items.map(({ at }) => Number(at?.N))
}

/** Items with equal times may come in any order. */
function inOneOrder(items: readonly StoredItem[]): readonly string[] {
  return items.map((item) => JSON.stringify(Object.entries(item).sort())).sort()
}

async function expectSame(design: IndexedDesign, items: readonly StoredItem[], queries: readonly Asked[]) {
  const twins = new IndexedTwins(design)
  await twins.run(async () => {
    await putAll(twins, items)
    for (const query of queries) {
      const input = inputOf(query)
      const expected = await twins.query(twins.plain, 'plain', input)
      const given = await twins.query(twins.db, 'files', input)
      expect(timesOf(given)).toEqual(timesOf(expected))
      expect(inOneOrder(given)).toEqual(inOneOrder(expected))
    }
  })
}

describe('a sharded index with many items for one sort key', () => {
  // A filter on attributes that the index does not hold finds nothing in either.
  it.each(INDEXED_DESIGNS.filter(({ projection }) => projection !== 'KEYS_ONLY'))(
    'has the same results as a plain one, page by page, over $name',
    { timeout: 60_000 },
    async (design) => {
      const files = fc.array(file, { minLength: 5, maxLength: 40 })
      const queries = fc.array(asked, { minLength: 15, maxLength: 15 })
      await fc.assert(
        fc.asyncProperty(files, queries, async (drawn, wanted) => {
          const items = drawn.map(({ folder, at, good }, id) => ({
            folder: { S: folder },
            file: { N: String(id) },
            status: { S: 'open' },
            at: { N: String(at) },
            good: { BOOL: good },
          }))
          await expectSame(design, items, wanted)
        }),
        { numRuns: RUNS },
      )
    },
  )

  it.each([true, false])(
    'does not read them again for each page of a range, forward: %s',
    async (forward) => {
      const [design] = INDEXED_DESIGNS
      const twins = new IndexedTwins(design as IndexedDesign)
      await twins.run(async () => {
        const items = Array.from({ length: 120 }, (_, id) => ({
          folder: { S: 'a' },
          file: { N: String(id) },
          status: { S: 'open' },
          at: { N: '3' },
        }))
        await putAll(twins, items)
        let read = 0
        twins.plain.middlewareStack.add(
          (next) => async (args) => {
            const result = await next(args)
            if ('ScannedCount' in result.output) read += Number(result.output.ScannedCount)
            return result
          },
          { step: 'initialize' },
        )
        const wanted = { range: '#at BETWEEN :low AND :high', low: 1, width: 4, isFiltered: false } as const
        expect(await twins.query(twins.db, 'files', inputOf({ ...wanted, forward, limit: 6 }))).toHaveLength(
          120,
        )
        // A page reads its share from every remaining shard, and discards what lies after its end.
        expect(read).toBeLessThan(3 * 120)
      })
    },
  )
})
