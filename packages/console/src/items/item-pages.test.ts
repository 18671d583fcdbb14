import { table } from '@isotherm/fixtures'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineCall, never } from './engine-call.fixture.js'
import type { Call, JsonItem, KeyDescription } from './item.js'
import { type PageStart, pageReader } from './item-pages.js'
import { EVERYTHING, type ItemQuery, NO_FILTER, parseItemQuery, printItemQuery } from './item-query.js'
import { itemRequest } from './item-request.js'

const ORDERS = 90

let call: Call
let close = async () => {}
let described: KeyDescription
beforeAll(async () => {
  const engine = await engineCall()
  call = engine.call
  close = () => engine.local.close()
  await call(
    'CreateTable',
    table('orders', ['customer', 'number:N'], { global: { by_state: ['state', 'customer'] } }),
  )
  for (let number = 0; number < ORDERS; number++) {
    const Item = {
      customer: { S: number < 10 ? 'acme' : `customer ${number}` },
      number: { N: String(number) },
      state: { S: number % 30 === 1 ? 'open' : 'paid' },
      isGift: { BOOL: number % 2 === 0 },
    }
    await call('PutItem', { TableName: 'orders', Item })
  }
  described = (await call<{ Table: KeyDescription }>('DescribeTable', { TableName: 'orders' })).Table
})
afterAll(() => close())

async function found(change: Partial<ItemQuery>, index = '') {
  const query = { ...EVERYTHING, ...change }
  const read = pageReader(call, itemRequest(described, index, query), query.pageItems)
  const pages: (readonly JsonItem[])[] = []
  let start: PageStart | undefined
  do {
    const page = await read(start, never)
    pages.push(page.items.map(({ item }) => item))
    start = page.next
  } while (start !== undefined)
  return { pages, numbers: pages.flat().map(({ number }) => Number(number?.N)) }
}

const acme = { partition: ['acme'] }

describe('a query', () => {
  it.each([
    [{ operator: '=', value: '4', upper: '' }, [4]],
    [{ operator: '<', value: '2', upper: '' }, [0, 1]],
    [{ operator: '>=', value: '8', upper: '' }, [8, 9]],
    [{ operator: 'between', value: '3', upper: '5' }, [3, 4, 5]],
    [{ operator: '=', value: '', upper: '' }, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ] as const)('compares the sort key: %j', async (condition, numbers) => {
    expect((await found({ ...acme, sort: [condition] })).numbers).toEqual(numbers)
  })

  it('has the newest first, and the beginning of a text', async () => {
    expect((await found({ ...acme, isDescending: true })).numbers.slice(0, 2)).toEqual([9, 8])
    const sort = [{ operator: 'begins_with', value: 'customer 6', upper: '' } as const]
    expect((await found({ partition: ['open'], sort }, 'by_state')).numbers).toEqual([61])
  })

  it.each([
    [{ attribute: 'isGift', operator: '=', type: 'BOOL', value: 'true' }, [0, 2, 4, 6, 8]],
    [{ attribute: 'state', operator: '<>', type: 'S', value: 'paid' }, [1]],
    [{ attribute: 'state', operator: 'contains', type: 'S', value: 'pe' }, [1]],
    [{ attribute: 'state', operator: 'begins_with', type: 'S', value: 'op' }, [1]],
    [{ attribute: 'gift', operator: 'attribute_exists', type: 'S', value: '' }, []],
    [NO_FILTER, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ] as const)('filters: %j', async (filter, numbers) => {
    expect((await found({ ...acme, filters: [filter] })).numbers).toEqual(numbers)
  })

  it('has all filters at once', async () => {
    const gift = { attribute: 'isGift', operator: '=', type: 'BOOL', value: 'false' } as const
    const late = { attribute: 'customer', operator: '>', type: 'S', value: 'customer 80' } as const
    expect((await found({ filters: [gift, late] })).numbers.toSorted((a, b) => a - b)).toEqual([
      81, 83, 85, 87, 89,
    ])
  })
})

describe('pages', () => {
  it('are full, and have each item once', async () => {
    const { pages, numbers } = await found({ pageItems: 25 })
    expect(pages.map(({ length }) => length)).toEqual([25, 25, 25, 15])
    expect(new Set(numbers).size).toBe(ORDERS)
  })

  it('go over items that a filter leaves out, so that a page is not empty', async () => {
    const open = { attribute: 'state', operator: '=', type: 'S', value: 'open' } as const
    const { pages } = await found({ filters: [open], pageItems: 25 })
    expect(pages.map(({ length }) => length)).toEqual([3])
  })

  it('end when they are no longer wanted', async () => {
    const ended = AbortSignal.abort(new Error('ended'))
    const read = pageReader(call, itemRequest(described, '', EVERYTHING), 25)
    await expect(read(undefined, ended)).rejects.toThrow('ended')
  })
})

describe('a query in an address', () => {
  it('is the same again', () => {
    const query: ItemQuery = {
      partition: ['acme', ''],
      isLogical: false,
      sort: [{ operator: 'between', value: '3', upper: '5' }],
      filters: [{ attribute: 'state', operator: 'contains', type: 'S', value: 'op' }],
      isDescending: true,
      pageItems: 100,
    }
    expect(parseItemQuery(printItemQuery(query))).toEqual(query)
    expect(printItemQuery(EVERYTHING)).toBe('')
  })

  it.each(['', 'nonsense', 'null', '7', '{"sort":7,"filters":[null,{"type":"X"}],"pageItems":3}'])(
    'is one of all items, if it is %s',
    async (text) => {
      expect((await found({ ...parseItemQuery(text), pageItems: 1_000 })).numbers).toHaveLength(ORDERS)
    },
  )
})
