import { table } from '@isotherm/fixtures'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineCall } from './engine-call.fixture.js'
import type { Call, JsonItem, KeyDescription } from './item.js'
import { deleteInput, type ItemPlace, putInput } from './item-change.js'

let call: Call
let close = async () => {}
let place: ItemPlace
beforeAll(async () => {
  const engine = await engineCall()
  call = engine.call
  close = () => engine.local.close()
  await call('CreateTable', table('shop', ['id']))
  const { Table } = await call<{ Table: KeyDescription }>('DescribeTable', { TableName: 'shop' })
  place = { described: Table, isSharded: true }
})
afterAll(() => close())

const item: JsonItem = { id: { S: 'a' }, price: { N: '5' }, tags: { SS: ['x', 'y'] } }
const store = (Item: JsonItem) => call('PutItem', { TableName: 'shop', Item })
const stored = async () =>
  (await call<{ Item?: JsonItem }>('GetItem', { TableName: 'shop', Key: { id: { S: 'a' } } })).Item
const change = (before: JsonItem | undefined, after: JsonItem) =>
  call('PutItem', putInput(place, before, after))
const refused = { name: 'ConditionalCheckFailedException' }

describe('a change of an item', () => {
  it('is made if the item is as it was read', async () => {
    await store(item)
    const after = { id: { S: 'a' }, price: { N: '6' }, colour: { S: 'red' } }
    await change(item, after)
    expect(await stored()).toEqual(after)
    await change({ ...item, ...after, tags: undefined } as never, after).catch(() => undefined)
  })

  it.each([
    ['has another value', { ...item, price: { N: '9' } }],
    ['lost an attribute', { id: { S: 'a' }, price: { N: '5' } }],
    ['got the attribute that the change adds', { ...item, colour: { S: 'blue' } }],
    ['is being moved to another shard', { ...item, isotherm_moving: { S: '2:7' } }],
  ])('is refused if it %s meanwhile', async (_, meanwhile) => {
    await store(meanwhile)
    await expect(change(item, { ...item, colour: { S: 'red' } })).rejects.toMatchObject(refused)
    expect(await stored()).toEqual(meanwhile)
  })

  it('is refused if the item is gone', async () => {
    await call('DeleteItem', { TableName: 'shop', Key: { id: { S: 'a' } } })
    await expect(change(item, { ...item, price: { N: '6' } })).rejects.toMatchObject(refused)
  })

  it('never replaces another item', async () => {
    await store(item)
    await expect(change(undefined, item)).rejects.toMatchObject(refused)
    await expect(change({ ...item, id: { S: 'b' } }, item)).rejects.toMatchObject(refused)
  })

  it('compares an item with many attributes by its presence', async () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`a${at}`, { N: String(at) }]))
    await store({ ...item, ...many })
    await change({ ...item, ...many }, { ...item, ...many, price: { N: '7' } })
    expect(await stored()).toMatchObject({ price: { N: '7' } })
  })
})

describe('a deletion', () => {
  it('is refused if the item was changed meanwhile', async () => {
    await store({ ...item, price: { N: '9' } })
    await expect(call('DeleteItem', deleteInput(place, item))).rejects.toMatchObject(refused)
    await call('DeleteItem', deleteInput(place, { ...item, price: { N: '9' } }))
    expect(await stored()).toBeUndefined()
  })
})
