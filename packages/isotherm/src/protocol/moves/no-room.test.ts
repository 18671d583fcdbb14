import {
  ItemCollectionSizeLimitExceededException,
  TransactionCanceledException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { itemBytes, MAX_ITEM_BYTES } from '@isotherm/semantics'
import { afterEach, describe, expect, it } from 'vitest'
import { KEY, movingTable } from '../../../test/moving-table.js'
import { placementIn } from '../placement/placement-in.js'
import { announce, move } from '../states/calculated-count.js'
import { resize } from '../states/random-count.js'
import { firstState } from '../states/shard-state.js'
import { type ShardView, viewOf } from '../states/shard-view.js'
import { finishMove } from './finish-move.js'
import { moveAhead } from './move-ahead.js'
import { moveItem } from './move-item.js'

const FOREVER = Number.POSITIVE_INFINITY
const MOVED = viewOf(move(announce(firstState(1, 100), 8, 200), 300), FOREVER)
const RETIRED = viewOf(resize(firstState(6, 100), 3, 200), FOREVER)
const TEXT = { text: { S: 'one' } }
const MARK = { isotherm_moving: { S: '3:7' } }
const METADATA = { $metadata: { httpStatusCode: 400 }, message: 'Collection size exceeded.' }
const noRoom = (reason: 'item' | 'shard', source: number, target: number) => ({
  code: 'move.no-room',
  details: { table: 'log', logicalKey: 'k', sortKey: { N: '1' }, source, target, reason },
})

type World = Awaited<ReturnType<typeof movingTable>>
let world: World
afterEach(() => world.close())

async function open(suffix: 'random' | 'calculated', view: ShardView, transactions = true) {
  world = await movingTable({ suffix, transactions, view })
  return { ...world, home: placementIn(world.table).home(view, KEY) }
}

/** The target shard of every move is full. */
function fillTarget({ meddle }: World) {
  const full = { Code: 'ItemCollectionSizeLimitExceeded', Message: METADATA.message }
  meddle(async (command) => {
    if (command === 'TransactWriteItemsCommand')
      throw new TransactionCanceledException({ ...METADATA, CancellationReasons: [full, { Code: 'None' }] })
    if (command === 'PutItemCommand') throw new ItemCollectionSizeLimitExceededException(METADATA)
  })
}

function passed(source: number, view: ShardView, isMarked = false) {
  const { table, sender, clock } = world
  const currentView = async () => view
  return clock.run(() =>
    moveItem(table, sender, { key: KEY, source, isMarked, discards: false, currentView }),
  )
}

/** An item of so many bytes in a shard. */
const sized = (bytes: number, others = {}) => {
  const item = { pk: { S: 'k_1' }, sk: { N: '1' }, text: { S: '' }, ...others }
  return { ...others, text: { S: 'x'.repeat(bytes - itemBytes(item)) } }
}

describe('an item whose target shard is full', () => {
  it('stays at its source, without a mark, if a pass has found it', async () => {
    const { put, copies, home } = await open('random', RETIRED)
    await put(5, TEXT)
    fillTarget(world)
    await expect(passed(5, RETIRED)).rejects.toMatchObject(noRoom('shard', 5, home))
    expect(await copies()).toEqual([{ shard: { N: '5' }, ...TEXT }])
  })

  it('stays at its source, without a mark, if a writer has found it', async () => {
    const { put, copies, table, sender, clock, home } = await open('calculated', MOVED)
    await put(1, TEXT)
    fillTarget(world)
    const moved = clock.run(() => moveAhead(table, sender, { key: KEY, source: 1 }))
    await expect(moved).rejects.toMatchObject(noRoom('shard', 1, home))
    await expect(moved).rejects.toThrow(`the items of shard ${home} have reached the 10 GB`)
    expect(await copies()).toEqual([{ shard: { N: '1' }, ...TEXT }])
  })

  it('loses the mark of another process only when that process cannot set it any more', async () => {
    const { put, copies, clock } = await open('random', RETIRED)
    await put(5, { ...TEXT, ...MARK })
    fillTarget(world)
    const begun = clock.now()
    await expect(passed(5, RETIRED, true)).rejects.toMatchObject(noRoom('shard', 5, 3))
    expect(clock.now() - begun).toBeGreaterThanOrEqual(10_500)
    expect(await copies()).toEqual([{ shard: { N: '5' }, ...TEXT }])
  })

  it('keeps the mark of a writer whose response was lost', async () => {
    const { put, copies, table, sender, clock, client, meddle } = await open('calculated', MOVED)
    await put(1, TEXT)
    fillTarget(world)
    let isLost = false
    meddle(async (command, input) => {
      if (command !== 'UpdateItemCommand' || isLost) return
      isLost = true
      // The service has carried out an earlier attempt.
      await client.send(new UpdateItemCommand(input as never))
    })
    const { send } = sender
    // The SDK has repeated the request after an attempt without a response.
    sender.send = ((...args: Parameters<typeof send>) => {
      const [command, units, validUntil, log] = args
      if (log !== undefined) log.unanswered = new Error('no response')
      return send.call(sender, command, units, validUntil, log)
    }) as typeof send
    const moved = clock.run(() => moveAhead(table, sender, { key: KEY, source: 1 }))
    await expect(moved).rejects.toMatchObject({ code: 'move.no-room' })
    expect(await copies()).toMatchObject([{ ...TEXT, isotherm_moving: { S: expect.any(String) } }])
  })

  it('keeps its mark if it was marked again meanwhile', async () => {
    const { put, copies, meddle } = await open('random', RETIRED)
    await put(5, TEXT)
    fillTarget(world)
    meddle(async (_command, input) => {
      if ((input as { UpdateExpression?: string }).UpdateExpression?.startsWith('REMOVE'))
        await put(5, { ...TEXT, ...MARK })
    })
    await expect(passed(5, RETIRED)).rejects.toMatchObject({ code: 'move.no-room' })
    expect(await copies()).toEqual([{ shard: { N: '5' }, ...TEXT, ...MARK }])
  })

  it('stays marked without transactions, because a copy may be at the target already', async () => {
    const { put, copies } = await open('random', RETIRED, false)
    await put(5, TEXT)
    fillTarget(world)
    await expect(passed(5, RETIRED)).rejects.toMatchObject({ code: 'move.no-room' })
    expect(await copies()).toMatchObject([{ ...TEXT, isotherm_moving: { S: expect.any(String) } }])
  })

  it('is named to a writer that meets its mark, which this writer takes off when nobody can set it any more', async () => {
    const { put, copies, table, clock } = await open('calculated', MOVED)
    await put(1, { ...TEXT, ...MARK })
    fillTarget(world)
    await clock.run(async () => {
      const finished = () => finishMove(table, { key: KEY, source: 1 })
      await expect(finished()).rejects.toMatchObject(noRoom('shard', 1, 3))
      const begun = clock.now()
      await Promise.all([finished(), finished()].map((each) => expect(each).rejects.toThrow('10 GB')))
      while ((await copies())[0]?.isotherm_moving !== undefined) await clock.sleep(100)
      expect(clock.now() - begun).toBeGreaterThan(9_000)
      expect(clock.now() - begun).toBeLessThan(11_000)
    })
    expect(await copies()).toEqual([{ shard: { N: '1' }, ...TEXT }])
  })

  it('is decided again by a writer that meets a mark which is taken off meanwhile', async () => {
    const { put, copies, table, clock } = await open('calculated', MOVED)
    await put(1, { ...TEXT, ...MARK })
    fillTarget(world)
    await clock.run(async () => {
      const finished = finishMove(table, { key: KEY, source: 1 })
      await clock.sleep(150)
      await put(1, TEXT)
      expect(await finished).toEqual({ kind: 'changed' })
    })
    expect(await copies()).toEqual([{ shard: { N: '1' }, ...TEXT }])
  })

  it('keeps the mark that a writer meets without transactions', async () => {
    const { put, copies, table, clock } = await open('calculated', MOVED, false)
    await put(1, { ...TEXT, ...MARK })
    fillTarget(world)
    await clock.run(async () => {
      const finished = finishMove(table, { key: KEY, source: 1 })
      await expect(finished).rejects.toMatchObject(noRoom('shard', 1, 3))
      await clock.sleep(60_000)
    })
    expect(await copies()).toMatchObject([MARK])
  })
})

describe('an item near the largest size', () => {
  it('is not marked if it has no room for the mark', async () => {
    const { put, copies, home } = await open('calculated', MOVED)
    await put(1, sized(MAX_ITEM_BYTES - 10))
    await expect(passed(1, MOVED)).rejects.toMatchObject(noRoom('item', 1, home))
    expect((await copies()).map((item) => Object.keys(item))).toEqual([['shard', 'text']])
  })

  it('loses its mark again if it has no room for the mark of the copy', async () => {
    const { put, copies, sent } = await open('random', RETIRED)
    // The mark of the copy, isotherm_moved = 5:3:7, is longer by one byte.
    await put(5, sized(MAX_ITEM_BYTES, MARK))
    const failed = passed(5, RETIRED, true)
    await expect(failed).rejects.toMatchObject(noRoom('item', 5, 3))
    await expect(failed).rejects.toThrow(
      /refuses the item with these words: .*size.* 64 bytes .* Make it smaller, .* call db\.shards\(table, key\)\.resume\(\)/,
    )
    expect((await copies()).map((item) => Object.keys(item))).toEqual([['shard', 'text']])
    expect(sent).toEqual(['GetItemCommand', 'TransactWriteItemsCommand', 'UpdateItemCommand'])
  })
})
