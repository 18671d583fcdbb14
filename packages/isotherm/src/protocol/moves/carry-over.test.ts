import { DeleteItemCommand } from '@aws-sdk/client-dynamodb'
import { afterEach, describe, expect, it } from 'vitest'
import { KEY, movingTable } from '../../../test/moving-table.js'
import { announce, move } from '../states/calculated-count.js'
import { resize } from '../states/random-count.js'
import { firstState } from '../states/shard-state.js'
import { type ShardView, viewOf } from '../states/shard-view.js'
import { carryOver } from './carry-over.js'

const FOREVER = Number.POSITIVE_INFINITY
const CHANGING = viewOf(move(announce(firstState(2, 100), 3, 200), 300), FOREVER)
/** Items leave the shards 6 to 4. */
const DRAINING = viewOf(resize(firstState(6, 100), 3, 200), FOREVER)

const MARK = { isotherm_moving: { S: '3:7' } }
const TEXT = { text: { S: 'one' } }
const OTHER = { text: { S: 'another' } }
const shard = (number: number) => ({ shard: { N: String(number) } })

type World = Awaited<ReturnType<typeof movingTable>>
let world: World
afterEach(() => world.close())

async function open(suffix: 'random' | 'calculated', transactions: boolean, view?: ShardView) {
  world = await movingTable({
    suffix,
    transactions,
    view: view ?? (suffix === 'random' ? DRAINING : CHANGING),
  })
  return world
}

/** Carries the marked item from a shard. */
async function carried(
  item: Awaited<ReturnType<World['put']>>,
  source: number,
  { discards = false, isInPass = false } = {},
) {
  const { table, sender, clock } = world
  return clock.run(() => carryOver(table, sender, { key: KEY, source, item, discards, isInPass }))
}

const remove = ({ client }: World, number: number) =>
  client.send(new DeleteItemCommand({ TableName: 'log', Key: { pk: { S: `k_${number}` }, sk: { N: '1' } } }))

describe.each([
  ['with transactions', true],
  ['without transactions', false],
])('a marked item, %s', (_how, transactions) => {
  it('is at its target afterwards, and only there, with the mark of a copy', async () => {
    const { put, copies } = await open('calculated', transactions)
    const item = await put(1, { ...TEXT, ...MARK })
    expect(await carried(item, 1)).toBe('moved')
    expect(await copies()).toEqual([{ ...shard(3), ...TEXT, isotherm_moved: { S: '1:3:7' } }])
  })

  it('keeps the shards above that it came from', async () => {
    const { put, copies } = await open('random', transactions)
    const item = await put(4, { ...TEXT, ...MARK, isotherm_moved: { S: '6,5:4:2' } })
    expect(await carried(item, 4)).toBe('moved')
    expect(await copies()).toEqual([{ ...shard(3), ...TEXT, isotherm_moved: { S: '4,6,5:3:7' } }])
  })

  it('is gone if another process has deleted or moved it since', async () => {
    const { put, copies } = await open('calculated', transactions)
    const item = await put(1, { ...TEXT, ...MARK })
    await remove(world, 1)
    expect(await carried(item, 1)).toBe('gone')
    expect(await copies()).toEqual([])
  })

  it('is gone if it is in another move by now', async () => {
    const { put, copies } = await open('calculated', transactions)
    await put(1, { ...TEXT, isotherm_moving: { S: '3:8' } })
    expect(await carried({ ...TEXT, ...MARK }, 1)).toBe('gone')
    expect(await copies()).toHaveLength(1)
  })

  it('is deleted if its target has the same item', async () => {
    const { put, copies, events } = await open('calculated', transactions)
    const item = await put(1, { ...TEXT, ...MARK })
    await put(3, { ...TEXT, isotherm_moved: { S: '1:3:9' } })
    expect(await carried(item, 1)).toBe('moved')
    expect(await copies()).toEqual([{ ...shard(3), ...TEXT, isotherm_moved: { S: '1:3:9' } }])
    expect(events).toEqual([])
  })

  it('stays beside another one at its target, and an event reports both', async () => {
    const { put, copies, events, clock } = await open('calculated', transactions)
    const item = await put(1, { ...TEXT, ...MARK })
    await put(3, OTHER)
    expect(await carried(item, 1)).toBe('two-copies')
    expect(await copies()).toEqual([
      { ...shard(1), ...TEXT, ...MARK },
      { ...shard(3), ...OTHER },
    ])
    expect(events).toEqual([
      {
        type: 'two-copies',
        table: 'log',
        logicalKey: 'k',
        sortKey: { N: '1' },
        source: 1,
        target: 3,
        sourceCopy: 'kept',
        at: clock.now(),
      },
    ])
  })

  it('gives way to another one at its target if the caller discards it', async () => {
    const { put, copies, events } = await open('calculated', transactions)
    const item = await put(1, { ...TEXT, ...MARK })
    await put(3, OTHER)
    expect(await carried(item, 1, { discards: true })).toBe('moved')
    expect(await copies()).toEqual([{ ...shard(3), ...OTHER }])
    expect(events).toMatchObject([{ type: 'two-copies', sourceCopy: 'discarded' }])
  })

  it('of a random key moves to the next shard in use if its target has another one', async () => {
    const { put, copies, events } = await open('random', transactions)
    const item = await put(5, { ...TEXT, ...MARK })
    await put(3, OTHER)
    await put(1, OTHER)
    expect(await carried(item, 5)).toBe('moved')
    expect(await copies()).toMatchObject([
      { ...shard(1), ...OTHER },
      { ...shard(2), ...TEXT, isotherm_moved: { S: expect.stringMatching(/^5:2:\d+$/) } },
      { ...shard(3), ...OTHER },
    ])
    expect(events).toEqual([])
  })

  it('of a random key moves no higher than the count because of which it leaves', async () => {
    const grownAgain = viewOf(resize(resize(firstState(6, 100), 2, 200), 5, 300), FOREVER)
    const { put, copies } = await open('random', transactions, grownAgain)
    const item = await put(4, { ...TEXT, isotherm_moving: { S: '2:7' } })
    await put(2, OTHER)
    expect(await carried(item, 4)).toBe('moved')
    expect(await copies()).toMatchObject([{ ...shard(1), ...TEXT }, shard(2)])
  })

  it('of a random key stays if there is no other shard', async () => {
    const { put, copies, sent } = await open(
      'random',
      transactions,
      viewOf(resize(firstState(6, 100), 1, 200), FOREVER),
    )
    const item = await put(4, { ...TEXT, isotherm_moving: { S: '1:7' } })
    await put(1, OTHER)
    expect(await carried(item, 4)).toBe('two-copies')
    expect(await copies()).toHaveLength(2)
    expect(sent).not.toContain('UpdateItemCommand')
  })

  it('moves after all if the other one at its target is deleted meanwhile', async () => {
    const { put, copies, meddle, events } = await open('calculated', transactions)
    const item = await put(1, { ...TEXT, ...MARK })
    await put(3, OTHER)
    let attempts = 0
    meddle(async (command) => {
      // After the first attempt to put the copy, before the target is read.
      if (command !== 'GetItemCommand') attempts += 1
      else if (attempts === 1) await remove(world, 3)
    })
    expect(await carried(item, 1)).toBe('moved')
    expect(await copies()).toEqual([{ ...shard(3), ...TEXT, isotherm_moved: { S: '1:3:7' } }])
    expect(events).toEqual([])
  })

  it('goes where another process sends it meanwhile', async () => {
    const { put, copies, meddle } = await open('random', transactions)
    const item = await put(5, { ...TEXT, ...MARK })
    await put(3, OTHER)
    let attempts = 0
    meddle(async (command) => {
      if (command !== 'GetItemCommand') attempts += 1
      else if (attempts === 1) await put(5, { ...TEXT, isotherm_moving: { S: '1:9' } })
    })
    expect(await carried(item, 5)).toBe('moved')
    expect(await copies()).toMatchObject([{ ...shard(1), isotherm_moved: { S: '5:1:9' } }, shard(3)])
  })

  it('goes where another process sends it meanwhile, also if it is of a calculated key', async () => {
    const { put, copies, meddle, events } = await open('calculated', transactions)
    const item = await put(1, { ...TEXT, ...MARK })
    await put(3, OTHER)
    let attempts = 0
    meddle(async (command) => {
      if (command === 'TransactWriteItemsCommand' || command === 'PutItemCommand') attempts += 1
      else if (attempts === 1) await put(1, { ...TEXT, isotherm_moving: { S: '2:9' } })
    })
    expect(await carried(item, 1)).toBe('moved')
    expect(await copies()).toMatchObject([{ ...shard(2), isotherm_moved: { S: '1:2:9' } }, shard(3)])
    expect(events).toEqual([])
  })

  it.each([true, false])(
    'is gone if another process moved it and somebody wrote to it since (its old place is empty: %s)',
    async (isEmpty) => {
      const { put, copies, meddle, events } = await open('calculated', transactions)
      const item = await put(1, { ...TEXT, ...MARK })
      await put(3, OTHER)
      let attempts = 0
      meddle(async (command) => {
        if (command === 'TransactWriteItemsCommand' || command === 'PutItemCommand') attempts += 1
        else if (attempts === 1) await (isEmpty ? remove(world, 1) : put(1, TEXT))
      })
      expect(await carried(item, 1)).toBe('gone')
      expect(await copies()).toHaveLength(isEmpty ? 1 : 2)
      expect(events).toEqual([])
    },
  )

  it('is gone if it is deleted before it is sent to another shard', async () => {
    const { put, copies, meddle } = await open('random', transactions)
    const item = await put(5, { ...TEXT, ...MARK })
    await put(3, OTHER)
    meddle(async (command) => {
      if (command === 'UpdateItemCommand') await remove(world, 5)
    })
    expect(await carried(item, 5)).toBe('gone')
    expect(await copies()).toMatchObject([shard(3)])
  })

  it('is gone if it is marked no more', async () => {
    const { put, copies } = await open('calculated', transactions)
    await put(1, TEXT)
    expect(await carried({ ...TEXT, ...MARK }, 1)).toBe('gone')
    expect(await copies()).toEqual([{ ...shard(1), ...TEXT }])
  })

  it('is refused if no move wrote its mark', async () => {
    await open('calculated', transactions)
    const item = { ...TEXT, isotherm_moving: { S: 'soon' } }
    await expect(carried(item, 1)).rejects.toMatchObject({
      code: 'move.malformed',
      message: expect.stringContaining('isotherm_moving {"S":"soon"}'),
      details: { table: 'log', value: { S: 'soon' } },
    })
    await expect(carried(TEXT, 1)).rejects.toMatchObject({ code: 'move.malformed' })
  })

  it('throws any other error of the service', async () => {
    const { put, meddle } = await open('calculated', transactions)
    const item = await put(1, { ...TEXT, ...MARK })
    meddle(async (command) => {
      if (command !== 'GetItemCommand') throw new Error('no network')
    })
    await expect(carried(item, 1)).rejects.toThrow('no network')
  })
})

it('a marked item whose deletion fails without transactions is not reported as moved', async () => {
  const { put, meddle } = await open('calculated', false)
  const item = await put(1, { ...TEXT, ...MARK })
  meddle(async (command) => {
    if (command === 'DeleteItemCommand') throw new Error('no network')
  })
  await expect(carried(item, 1)).rejects.toThrow('no network')
})

describe('the pace of moves', () => {
  const LARGE = { text: { S: 'x'.repeat(3_000) } }

  it('takes both writes of a transaction before it is sent, at their double price', async () => {
    const { put, units, sent } = await open('calculated', true)
    await carried(await put(1, { ...LARGE, ...MARK }), 1)
    expect(sent).toEqual(['TransactWriteItemsCommand'])
    expect(units.taken).toEqual([12])
  })

  it('takes a read and two writes without transactions', async () => {
    const { put, units, sent } = await open('calculated', false)
    await carried(await put(1, { ...LARGE, ...MARK }), 1)
    expect(sent).toEqual(['GetItemCommand', 'PutItemCommand', 'DeleteItemCommand'])
    expect(units.taken).toEqual([1, 3, 3])
    expect(units.spent).toEqual([])
  })

  it('records what a read used beyond its least cost', async () => {
    const { put, units } = await open('calculated', false)
    await carried(await put(1, { text: { S: 'x'.repeat(9_000) }, ...MARK }), 1)
    expect(units.taken).toEqual([1, 9, 9])
    expect(units.spent).toEqual([2])
  })
})

describe('a marked item with transactions', () => {
  it('is left where it is after eight attempts, each of which found another one', async () => {
    const { put, copies, meddle, events, sent } = await open('random', true)
    const item = await put(5, { ...TEXT, ...MARK })
    await put(3, OTHER)
    let reads = 0
    meddle(async (command) => {
      if (command === 'GetItemCommand')
        await put(5, { ...TEXT, isotherm_moving: { S: `3:${100 + reads++}` } })
    })
    expect(await carried(item, 5)).toBe('two-copies')
    expect(await copies()).toHaveLength(2)
    expect(sent.filter((command) => command === 'TransactWriteItemsCommand')).toHaveLength(8)
    expect(events).toMatchObject([{ type: 'two-copies', target: 3, sourceCopy: 'kept' }])
  })
})

describe('a marked item without transactions', () => {
  it('is deleted if the copy of the same move is at its target, even if the application has written to it since', async () => {
    const { put, copies, events } = await open('calculated', false)
    const item = await put(1, { ...TEXT, ...MARK })
    await put(3, { ...OTHER, isotherm_moved: { S: '1:3:7' } })
    expect(await carried(item, 1)).toBe('moved')
    expect(await copies()).toEqual([{ ...shard(3), ...OTHER, isotherm_moved: { S: '1:3:7' } }])
    expect(events).toEqual([])
  })

  it('stays marked once the view of this process has ended, because another may have moved it', async () => {
    const { put, copies } = await open('calculated', false, { ...CHANGING, validUntil: 0 })
    const item = await put(1, { ...TEXT, ...MARK })
    expect(await carried(item, 1)).toBe('stale')
    expect(await copies()).toEqual([{ ...shard(1), ...TEXT, ...MARK }])
  })

  it('of a random key waits for the pass if its target is being emptied', async () => {
    const { put, copies, sent } = await open('random', false)
    const item = await put(5, { ...TEXT, isotherm_moving: { S: '4:7' } })
    expect(await carried(item, 5)).toBe('waits')
    expect(sent).toEqual(['GetItemCommand'])
    expect(await carried(item, 5, { isInPass: true })).toBe('moved')
    expect(await copies()).toMatchObject([shard(4)])
  })

  it('of a random key does not wait if its target is in use', async () => {
    const { put, copies } = await open('random', false)
    const item = await put(5, { ...TEXT, ...MARK })
    expect(await carried(item, 5)).toBe('moved')
    expect(await copies()).toMatchObject([shard(3)])
  })

  it('of a calculated key does not wait, whatever the count is', async () => {
    const { put, copies } = await open('calculated', false)
    const item = await put(1, { ...TEXT, isotherm_moving: { S: '5:7' } })
    expect(await carried(item, 1)).toBe('moved')
    expect(await copies()).toMatchObject([shard(5)])
  })

  it('is gone if another process deletes it between the copy and the deletion', async () => {
    const { put, meddle } = await open('calculated', false)
    const item = await put(1, { ...TEXT, ...MARK })
    meddle(async (command) => {
      if (command === 'DeleteItemCommand') await remove(world, 1)
    })
    expect(await carried(item, 1)).toBe('gone')
  })
})
