import { TransactionConflictException } from '@aws-sdk/client-dynamodb'
import { afterEach, describe, expect, it } from 'vitest'
import { KEY, movingTable } from '../../../test/moving-table.js'
import { CHANGED, STALE } from '../../attempts/outcome.js'
import { placementIn } from '../placement/placement-in.js'
import { announce, drain, move } from '../states/calculated-count.js'
import { resize } from '../states/random-count.js'
import { firstState } from '../states/shard-state.js'
import { fixedView, type ShardView, viewOf } from '../states/shard-view.js'
import { finishMove } from './finish-move.js'
import { moveAhead } from './move-ahead.js'
import { moveItem } from './move-item.js'

const FOREVER = Number.POSITIVE_INFINITY
const ANNOUNCED = announce(firstState(1, 100), 8, 200)
const MOVED = viewOf(move(ANNOUNCED, 300), FOREVER)
const DRAINING = viewOf(drain(move(ANNOUNCED, 300), 400), FOREVER)
const RETIRED = viewOf(resize(firstState(6, 100), 3, 200), FOREVER)
const TEXT = { text: { S: 'one' } }
const shard = (number: number) => ({ shard: { N: String(number) } })

type World = Awaited<ReturnType<typeof movingTable>>
let world: World
afterEach(() => world.close())

async function open(suffix: 'random' | 'calculated', view: ShardView, transactions = true) {
  world = await movingTable({ suffix, transactions, view })
  return { ...world, home: placementIn(world.table).home(view, KEY) }
}

/** What a pass does with an item that it finds in a shard. */
function passed(source: number, view: ShardView | (() => ShardView), { isMarked = false } = {}) {
  const { table, sender, clock } = world
  const currentView = async () => (typeof view === 'function' ? view() : view)
  return clock.run(() =>
    moveItem(table, sender, { key: KEY, source, isMarked, discards: false, currentView }),
  )
}

describe('an item that a pass finds', () => {
  it.each([MOVED, DRAINING])('goes to its home ($state.phase)', async (view) => {
    const { put, copies, home, sent } = await open('calculated', view)
    await put(1, TEXT)
    expect(await passed(1, view)).toBe('moved')
    expect(home).not.toBe(1)
    expect(await copies()).toMatchObject([{ ...shard(home), ...TEXT }])
    expect(sent).toEqual(['UpdateItemCommand', 'TransactWriteItemsCommand'])
  })

  it('stays at its home, without a request', async () => {
    const { put, copies, home, sent } = await open('calculated', MOVED)
    await put(home, TEXT)
    expect(await passed(home, MOVED)).toBe('stays')
    expect(await copies()).toEqual([{ ...shard(home), ...TEXT }])
    expect(sent).toEqual([])
  })

  it('of a random key stays in any shard in use', async () => {
    const { sent } = await open('random', RETIRED)
    for (const source of [1, 2, 3]) expect(await passed(source, RETIRED)).toBe('stays')
    expect(sent).toEqual([])
  })

  it('of a random key leaves a retired shard', async () => {
    const { put, copies, home } = await open('random', RETIRED)
    await put(4, TEXT)
    expect(await passed(4, RETIRED)).toBe('moved')
    expect(await copies()).toMatchObject([{ ...shard(home), ...TEXT }])
  })

  it('goes on with its move if it is marked, also from its home', async () => {
    const { put, copies, sent } = await open('random', RETIRED)
    await put(3, { ...TEXT, isotherm_moving: { S: '2:7' } })
    expect(await passed(3, RETIRED, { isMarked: true })).toBe('moved')
    expect(await copies()).toMatchObject([{ ...shard(2), isotherm_moved: { S: '3:2:7' } }])
    expect(sent).toEqual(['GetItemCommand', 'TransactWriteItemsCommand'])
  })

  it('goes on to a shard that the pass has not reached yet, without transactions', async () => {
    const { put, copies } = await open('random', RETIRED, false)
    await put(5, { ...TEXT, isotherm_moving: { S: '4:7' } })
    expect(await passed(5, RETIRED, { isMarked: true })).toBe('moved')
    expect(await copies()).toMatchObject([shard(4)])
  })

  it('is gone if it is marked no more, and at home', async () => {
    const { put, copies } = await open('random', RETIRED)
    await put(3, TEXT)
    expect(await passed(3, RETIRED, { isMarked: true })).toBe('gone')
    expect(await copies()).toEqual([{ ...shard(3), ...TEXT }])
  })

  it('is marked anew if it is marked no more, and not at home', async () => {
    const { put, copies, home } = await open('random', RETIRED)
    await put(5, TEXT)
    expect(await passed(5, RETIRED, { isMarked: true })).toBe('moved')
    expect(await copies()).toMatchObject([shard(home)])
  })

  it('is gone if it was deleted', async () => {
    const { sent } = await open('random', RETIRED)
    expect(await passed(5, RETIRED)).toBe('gone')
    expect(await passed(5, RETIRED, { isMarked: true })).toBe('gone')
    expect(sent).toEqual(['UpdateItemCommand', 'GetItemCommand', 'GetItemCommand'])
    expect(await world.copies()).toEqual([])
  })

  it('is decided on again, on a new view, if the view has ended', async () => {
    const { put, copies, home, sent } = await open('calculated', MOVED)
    await put(1, TEXT)
    const views = [{ ...MOVED, validUntil: 0 }, { ...MOVED, validUntil: 0 }, MOVED]
    expect(await passed(1, () => views.shift() ?? MOVED)).toBe('moved')
    expect(views).toEqual([])
    expect(await copies()).toMatchObject([shard(home)])
    // A mark that this process may have set is looked for.
    const late = ['UpdateItemCommand', 'GetItemCommand']
    expect(sent).toEqual([...late, ...late, 'UpdateItemCommand', 'TransactWriteItemsCommand'])
  })

  it.each([
    ['announced', viewOf(ANNOUNCED, FOREVER)],
    ['settled', viewOf(firstState(3, 100), FOREVER)],
    ['of a fixed count', fixedView(3)],
  ])('is not moved while its key is %s', async (_phase, view) => {
    const { put, copies } = await open('calculated', view)
    await put(1, TEXT)
    await expect(passed(1, view)).rejects.toThrow(/^Invariant moves broken: {"home":\d+,"view":{/)
    expect(await copies()).toEqual([{ ...shard(1), ...TEXT }])
  })

  it('is not moved to where readers do not look', async () => {
    const view: ShardView = { ...MOVED, shards: 500 }
    await open('calculated', view)
    await expect(passed(1, view)).rejects.toThrow('Invariant moves broken')
  })
})

describe('a marked item that a request finds', () => {
  const finished = () => {
    const { table, clock } = world
    return clock.run(() => finishMove(table, { key: KEY, source: 5 }))
  }

  it('is moved before the request continues', async () => {
    const { put, copies } = await open('random', RETIRED)
    await put(5, { ...TEXT, isotherm_moving: { S: '2:7' } })
    expect(await finished()).toBe(CHANGED)
    expect(await copies()).toMatchObject([shard(2)])
  })

  it('may have been moved by another process, or be marked no more', async () => {
    const { put, sent } = await open('random', RETIRED)
    expect(await finished()).toBe(CHANGED)
    await put(5, TEXT)
    expect(await finished()).toBe(CHANGED)
    expect(sent).toEqual(['GetItemCommand', 'GetItemCommand'])
  })

  it('needs a new view if this one has ended, without transactions', async () => {
    const { put, copies } = await open('random', { ...RETIRED, validUntil: 0 }, false)
    await put(5, { ...TEXT, isotherm_moving: { S: '2:7' } })
    expect(await finished()).toBe(STALE)
    expect(await copies()).toMatchObject([shard(5)])
  })

  it('is tried as often as a write to the table', async () => {
    const { meddle, sent } = await open('random', RETIRED)
    const error = new TransactionConflictException({ message: 'Ongoing.', $metadata: {} })
    meddle(() => Promise.reject(error))
    await expect(finished()).rejects.toThrow('Ongoing.')
    expect(sent).toEqual(['GetItemCommand', 'GetItemCommand', 'GetItemCommand'])
  })

  it('keeps both copies if there is another one at its target', async () => {
    const one = viewOf(resize(firstState(6, 100), 1, 200), FOREVER)
    const { put, copies } = await open('random', one)
    await put(5, { ...TEXT, isotherm_moving: { S: '1:7' } })
    await put(1, { text: { S: 'another' } })
    expect(await finished()).toBe(CHANGED)
    expect(await copies()).toHaveLength(2)
  })

  it('waits for the pass if its target is being emptied, without transactions', async () => {
    const { put, copies } = await open('random', RETIRED, false)
    await put(5, { ...TEXT, isotherm_moving: { S: '4:7' } })
    expect(await finished()).toBe(CHANGED)
    expect(await copies()).toMatchObject([shard(5)])
  })
})

describe('an item that a request moves ahead of the pass', () => {
  const ahead = (source: number) => {
    const { table, sender, clock } = world
    return clock.run(() => moveAhead(table, sender, { key: KEY, source }))
  }

  it('is at its home afterwards', async () => {
    const { put, copies, home } = await open('calculated', MOVED)
    await put(1, TEXT)
    await ahead(1)
    expect(await copies()).toMatchObject([{ ...shard(home), ...TEXT }])
  })

  it.each([
    ['while no process may create items at the new place', viewOf(ANNOUNCED, FOREVER)],
    ['where the view has ended', { ...MOVED, validUntil: 0 }],
    ['where nothing moves', viewOf(firstState(1, 100), FOREVER)],
  ])('stays %s', async (_when, view) => {
    const { put, copies } = await open('calculated', view)
    await put(1, TEXT)
    await ahead(1)
    expect(await copies()).toEqual([{ ...shard(1), ...TEXT }])
  })

  it('stays at its home, and in a shard that is none of its places', async () => {
    const { home, sent } = await open('calculated', MOVED)
    await ahead(home)
    await ahead(home === 2 ? 3 : 2)
    expect(sent).toEqual([])
  })

  it('may have been deleted', async () => {
    const { sent, copies } = await open('calculated', MOVED)
    await ahead(1)
    expect(sent).toEqual(['UpdateItemCommand'])
    expect(await copies()).toEqual([])
  })

  it('does not wait for the pass, without transactions', async () => {
    const { put, copies, home } = await open('calculated', MOVED, false)
    await put(1, TEXT)
    await ahead(1)
    expect(await copies()).toMatchObject([shard(home)])
  })

  it('stays beside another copy at its home', async () => {
    const { put, copies, home, events } = await open('calculated', MOVED)
    await put(1, TEXT)
    await put(home, { text: { S: 'another' } })
    await ahead(1)
    expect(await copies()).toHaveLength(2)
    expect(events).toMatchObject([{ type: 'two-copies', sourceCopy: 'kept' }])
  })
})
