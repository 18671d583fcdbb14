import { table } from '@isotherm/fixtures'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { physicalKey } from '../shard-map/physical-key.js'
import { engineCall, never } from './engine-call.fixture.js'
import type { Call, KeyDescription } from './item.js'
import type { FoundItem, PageStart } from './item-pages.js'
import { EVERYTHING, type ItemQuery, PAGE_SIZES } from './item-query.js'
import { itemShardMap, logicalKey, placeOf, ruleOf } from './logical-key.js'
import { logicalPageReader } from './logical-pages.js'

const numRuns = inject('trials') === 'many' ? 200 : 15

let call: Call
let close = async () => {}
let described: KeyDescription
let runs = 0
beforeAll(async () => {
  const engine = await engineCall({ throttle: false })
  call = engine.call
  close = () => engine.local.close()
  await call('CreateTable', table('log', ['file', 'at:N']))
  await call('CreateTable', table('log_shard_map', ['file']))
  described = (await call<{ Table: KeyDescription }>('DescribeTable', { TableName: 'log' })).Table
})
afterAll(() => close())

async function all(logical: string, query: ItemQuery): Promise<readonly (readonly FoundItem[])[]> {
  const map = await itemShardMap(call, 'log_shard_map', 'file')
  const read = logicalPageReader(call, described, query, await logicalKey(call, map, logical))
  const pages: (readonly FoundItem[])[] = []
  let start: PageStart | undefined
  do {
    const page = await read(start, never)
    pages.push(page.items)
    start = page.next
  } while (start !== undefined)
  return pages
}

const items = fc.array(
  fc.record({ shard: fc.integer({ min: 1, max: 5 }), at: fc.nat(60), odd: fc.boolean() }),
  {
    maxLength: 60,
  },
)

describe('the pages of a logical key', () => {
  it('have the items of all shards once, in the order of the sort key', async () => {
    await fc.assert(
      fc.asyncProperty(
        items,
        fc.constantFrom(...PAGE_SIZES),
        fc.boolean(),
        fc.boolean(),
        async (drawn, pageItems, isDescending, isFiltered) => {
          const logical = `/file/${runs++}`
          const rule = { delimiter: '_', adopts: false }
          const put = new Map(drawn.map(({ shard, at, odd }) => [`${shard} ${at}`, { shard, at, odd }]))
          for (const { shard, at, odd } of put.values()) {
            const Item = {
              file: { S: physicalKey(logical, shard, rule) },
              at: { N: String(at) },
              odd: { BOOL: odd },
            }
            await call('PutItem', { TableName: 'log', Item })
          }
          const state = {
            file: { S: logical },
            number_of_shards: { N: '2' },
            shard_history: { SS: ['1:5', '2:2'] },
          }
          await call('PutItem', { TableName: 'log_shard_map', Item: state })
          const filters = isFiltered
            ? [{ attribute: 'odd', operator: '=', type: 'BOOL', value: 'true' } as const]
            : []
          const pages = await all(logical, { ...EVERYTHING, filters, isDescending, pageItems })
          const found = pages.flat().map(({ item, shard }) => ({ shard, at: Number(item.at?.N) }))
          const expected = [...put.values()]
            .filter(({ odd }) => !isFiltered || odd)
            .map(({ shard, at }) => ({ shard, at }))
          const direction = isDescending ? -1 : 1
          expect(found.map(({ at }) => at)).toEqual(
            expected.map(({ at }) => at).toSorted((a, b) => direction * (a - b)),
          )
          expect(new Set(found.map(({ shard, at }) => `${shard} ${at}`)).size).toBe(expected.length)
          // Without a filter only the last page is not full.
          if (!isFiltered) for (const page of pages.slice(0, -1)) expect(page.length).toBe(pageItems)
        },
      ),
      { numRuns },
    )
  })
})

describe('a logical key', () => {
  it('has the shards of its state and of the card, and the delimiter of the card', async () => {
    const card = {
      file: { S: 'isotherm:card' },
      version: { N: '1' },
      settings: { M: { delimiter: { S: '#' }, adopt: { S: 'true' }, initial: { S: '3' } } },
    }
    await call('PutItem', { TableName: 'log_shard_map', Item: card })
    const map = await itemShardMap(call, 'log_shard_map', 'file')
    expect(await logicalKey(call, map, '/cold')).toEqual({
      logical: '/cold',
      shards: 3,
      rule: { delimiter: '#', adopts: true },
    })
    const place = (key: string) => placeOf({ file: { S: key } }, map, ruleOf(map))
    expect(place('/cold#2')).toEqual({ logical: '/cold', shard: 2 })
    expect(place('/cold')).toEqual({ logical: '/cold', shard: 1 })
  })
})
