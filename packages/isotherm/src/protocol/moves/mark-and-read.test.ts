import { afterEach, describe, expect, it } from 'vitest'
import { KEY, movingTable } from '../../../test/moving-table.js'
import { fixedView } from '../states/shard-view.js'
import { itemAt } from './item-at.js'
import { markItem } from './mark-item.js'

const TEXT = { text: { S: 'one' } }
const LARGE = { text: { S: 'x'.repeat(9_000) } }
const NAME = { text: '3:7', target: 3 }
const BEFORE = { text: '2:5', target: 2 }

type World = Awaited<ReturnType<typeof movingTable>>
let world: World
afterEach(() => world.close())

async function open() {
  world = await movingTable({ suffix: 'random', transactions: true, view: fixedView(3) })
  return world
}

describe('a mark', () => {
  const marked = (before?: typeof BEFORE) => {
    const { table, sender, clock } = world
    const validUntil = Number.POSITIVE_INFINITY
    return clock.run(() => markItem(table, sender, { key: KEY, source: 1, name: NAME, before, validUntil }))
  }

  it('is set on an item, and returned with it', async () => {
    const { put, copies } = await open()
    await put(1, TEXT)
    expect(await marked()).toMatchObject({ ...TEXT, isotherm_moving: { S: NAME.text } })
    expect(await copies()).toMatchObject([{ isotherm_moving: { S: NAME.text } }])
  })

  it('creates no item', async () => {
    const { copies } = await open()
    expect(await marked()).toBeUndefined()
    expect(await marked(BEFORE)).toBeUndefined()
    expect(await copies()).toEqual([])
  })

  it('of another move stays, and is returned', async () => {
    const { put, copies } = await open()
    await put(1, { ...TEXT, isotherm_moving: { S: BEFORE.text } })
    expect(await marked()).toMatchObject({ isotherm_moving: { S: BEFORE.text } })
    expect(await copies()).toMatchObject([{ isotherm_moving: { S: BEFORE.text } }])
  })

  it('replaces the one that it is to replace, and no other', async () => {
    const { put } = await open()
    await put(1, { ...TEXT, isotherm_moving: { S: BEFORE.text } })
    expect(await marked(BEFORE)).toMatchObject({ isotherm_moving: { S: NAME.text } })
    await put(1, { ...TEXT, isotherm_moving: { S: '2:6' } })
    expect(await marked(BEFORE)).toMatchObject({ isotherm_moving: { S: '2:6' } })
  })

  it('costs what the item costs, also if it is refused', async () => {
    const { put, units } = await open()
    await put(1, LARGE)
    await marked()
    await marked()
    expect(units).toEqual({ taken: [1, 1], spent: [8, 8] })
  })

  it('costs no more than it took if there is no item', async () => {
    const { units } = await open()
    await marked()
    expect(units).toEqual({ taken: [1], spent: [] })
  })

  it('throws an error that is no refusal', async () => {
    const { meddle } = await open()
    meddle(() => Promise.reject(new Error('no network')))
    await expect(marked()).rejects.toThrow('no network')
  })
})

describe('an item that a move reads', () => {
  const found = () => {
    const { table, sender, clock } = world
    return clock.run(() => itemAt(table, sender, KEY, 1))
  }

  it('is as it was written last', async () => {
    const { put, meddle } = await open()
    const inputs: object[] = []
    meddle(async (_name, input) => inputs.push(input))
    await put(1, TEXT)
    expect(await found()).toEqual({ pk: { S: 'k_1' }, sk: { N: '1' }, ...TEXT })
    expect(inputs).toMatchObject([{ ConsistentRead: true }])
  })

  it('costs what it costs', async () => {
    const { put, units } = await open()
    expect(await found()).toBeUndefined()
    await put(1, LARGE)
    await found()
    expect(units).toEqual({ taken: [1, 1], spent: [2] })
  })
})
