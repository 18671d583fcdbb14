import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import type { StoredItem } from '../../test/sharded-engine.js'
import { membersOf, transactingEngine, transactingTable } from '../../test/transacting-table.js'
import type { LogicalKey } from '../keys/key.js'
import { placementIn } from '../protocol/placement/placement-in.js'
import { announce, drain, move } from '../protocol/states/calculated-count.js'
import { resize } from '../protocol/states/random-count.js'
import { atRest, firstState, type ShardState } from '../protocol/states/shard-state.js'
import { fixedView, type ShardView, viewOf } from '../protocol/states/shard-view.js'
import { sourceThrottled } from '../writes/hot-sources.js'
import { type PlacedMembers, placeMembers } from './place-members.js'
import type { ShardedMember, TransactMember } from './transact-member.js'

const forever = (state: ShardState) => viewOf(state, Number.POSITIVE_INFINITY)
const announced = announce(firstState(2, 1_000), 5, 2_000)
const moved = move(announced, 3_000)
const ANNOUNCED = forever(announced)
const MOVED = forever(moved)
const DRAINING = forever(drain(moved, 4_000))
/** The shards 3 to 6 are retired. */
const RETIRED = forever(resize(firstState(6, 1_000), 2, 2_000))
const GROWN_AGAIN = forever(atRest({ shards: 4, lastUpdated: 3, history: ['1:4', '2:2', '3:4'] }))

type Kind = ShardedMember['kind']
type Engine = Awaited<ReturnType<typeof transactingEngine>>

const CONDITION = { ConditionExpression: 'attribute_not_exists(never)' }
const ADD = { UpdateExpression: 'ADD version :one', ExpressionAttributeValues: { ':one': { N: '1' } } }

function givenOf(kind: Kind, Key: StoredItem): TransactWriteItem {
  const action = { TableName: 'log', ...CONDITION }
  if (kind === 'Put') return { Put: { ...action, Item: Key } }
  if (kind === 'Update') return { Update: { ...action, Key, ...ADD } }
  return { [kind]: { ...action, Key } } as unknown as TransactWriteItem
}

const keyOf = (id: number): StoredItem => ({ pk: { S: 'k' }, sk: { S: `item ${id}` } })
const MARK = { isotherm_moving: { S: '1:1' } }

/** The home of an item, and its other place if it has two. */
function placesOf({ table }: Engine, view: ShardView, Key: StoredItem) {
  const [member] = membersOf([table], givenOf('Delete', Key))
  if (member === undefined) throw new Error('No member.')
  const placement = placementIn(table)
  const home = placement.home(view, member.itemKey)
  return { home, others: placement.candidates(view, member.itemKey).filter((shard) => shard !== home) }
}

/** An item with two places, or with one, among the first ones. */
function itemWith(engine: Engine, view: ShardView, places: number): number {
  const ids = Array.from({ length: 50 }, (_, id) => id)
  return ids.find((id) => placesOf(engine, view, keyOf(id)).others.length === places - 1) ?? -1
}

async function within(
  shape: Parameters<typeof transactingEngine>[0],
  test: (engine: Engine) => Promise<void>,
): Promise<void> {
  const engine = await transactingEngine(shape)
  await engine.clock.run(() => test(engine))
  await engine.close()
}

/** The actions in words, or what is to be done before there are any. */
function inWords(placed: PlacedMembers): readonly string[] {
  if (placed.kind === 'moving') return placed.items.map(({ shard }) => `moving from ${shard}`)
  if (placed.kind !== 'placed') return [placed.kind]
  return placed.actions.map(({ role, request, shard, expects }) => {
    const [kind] = Object.keys(request)
    return `${role} ${kind} in ${shard}, item ${expects}`
  })
}

const placing = async ({ table, together }: Engine, ...given: readonly TransactWriteItem[]) =>
  inWords(await placeMembers(membersOf([table], ...given), together))

describe('an action on an item with one place', () => {
  it.each<Kind>(['Put', 'Update', 'Delete', 'ConditionCheck'])(
    'goes there, and nothing is read: %s',
    (kind) =>
      within({ suffix: 'calculated', view: fixedView(4) }, async (engine) => {
        const { home } = placesOf(engine, fixedView(4), keyOf(1))
        expect(await placing(engine, givenOf(kind, keyOf(1)))).toEqual([
          `own ${kind} in ${home}, item either`,
        ])
        expect(engine.together.metadata.attempts).toBe(0)
      }),
  )

  it('stands beside actions on unsharded tables, which are sent as they are', () =>
    within({ suffix: 'calculated', view: fixedView(4) }, async ({ table, together }) => {
      const plain: TransactMember = { kind: 'plain', given: givenOf('Put', keyOf(7)) }
      const [member] = membersOf([table], givenOf('Put', keyOf(1)))
      const placed = await placeMembers([plain, ...(member === undefined ? [] : [member]), plain], together)
      const requests = placed.kind === 'placed' ? placed.actions.map(({ request }) => request) : []
      expect(requests).toEqual([plain.given, expect.anything(), plain.given])
    }))
})

describe('an item that may be in two places, and is in neither', () => {
  it.each<Kind>(['Put', 'Update', 'Delete', 'ConditionCheck'])(
    'is sought in its home, under a check of the other place: %s',
    (kind) =>
      within({ suffix: 'calculated', view: MOVED }, async (engine) => {
        const id = itemWith(engine, MOVED, 2)
        const { home, others } = placesOf(engine, MOVED, keyOf(id))
        expect(await placing(engine, givenOf(kind, keyOf(id)))).toEqual([
          `own ${kind} in ${home}, item missing`,
          `added ConditionCheck in ${others[0]}, item missing`,
        ])
      }),
  )

  it.each([
    ['announced', ANNOUNCED, 2],
    ['moved', MOVED, 2],
    // Nobody creates an item at the old place any more.
    ['draining', DRAINING, 1],
  ] as const)('takes as many actions as the phase demands: %s', (_phase, view, actions) =>
    within({ suffix: 'calculated', view }, async (engine) => {
      const id = itemWith(engine, view, 2)
      expect(await placing(engine, givenOf('Put', keyOf(id)))).toHaveLength(actions)
    }),
  )

  it('is found in a table without a sort key, too', () =>
    within({ suffix: 'calculated', view: MOVED, sortKey: undefined }, async (engine) => {
      const keys = ['a', 'b', 'c', 'd', 'e', 'f'].map((pk) => ({ pk: { S: pk } }))
      const Key = keys.find((key) => placesOf(engine, MOVED, key).others.length === 1) ?? {}
      const [shard = 0] = placesOf(engine, MOVED, Key).others
      await engine.put(shard, Key)
      expect(await placing(engine, givenOf('Update', Key))).toEqual([`own Update in ${shard}, item there`])
    }))
})

describe('an item that was found in one of its places', () => {
  it.each(['home', 'other place'])('is written there, if it still is: %s', (place) =>
    within({ suffix: 'calculated', view: MOVED }, async (engine) => {
      const id = itemWith(engine, MOVED, 2)
      const { home, others } = placesOf(engine, MOVED, keyOf(id))
      const shard = place === 'home' ? home : (others[0] ?? 0)
      await engine.put(shard, { ...keyOf(id), isotherm_moved: { S: '1:2:1' } })
      const placed = await placeMembers(membersOf([engine.table], givenOf('Put', keyOf(id))), engine.together)
      expect(inWords(placed)).toEqual([`own Put in ${shard}, item there`])
      // A process that is reading a page needs the mark of the last move.
      const put = placed.kind === 'placed' ? placed.actions[0]?.request.Put : undefined
      expect(put?.Item?.isotherm_moved).toEqual({ S: '1:2:1' })
    }),
  )

  it('is written in its new place, where a copy is in each', () =>
    within({ suffix: 'calculated', view: MOVED }, async (engine) => {
      const id = itemWith(engine, MOVED, 2)
      const { home, others } = placesOf(engine, MOVED, keyOf(id))
      for (const shard of [home, ...others]) await engine.put(shard, keyOf(id))
      for (const kind of ['Update', 'Delete'] as const) {
        expect(await placing(engine, givenOf(kind, keyOf(id)))).toEqual([
          `own ${kind} in ${home}, item there`,
        ])
      }
    }))
})

describe('an item with a random suffix', () => {
  const SHARDS = fixedView(4)

  it('is created in its home, and written there in the same way, so that a token stays valid', () =>
    within({ suffix: 'random', view: SHARDS }, async (engine) => {
      const { home } = placesOf(engine, SHARDS, keyOf(1))
      const words = [`own Update in ${home}, item either`]
      expect(await placing(engine, givenOf('Update', keyOf(1)))).toEqual(words)
      await engine.put(home, keyOf(1))
      expect(await placing(engine, givenOf('Update', keyOf(1)))).toEqual(words)
    }))

  it.each([
    ['in another shard', SHARDS, 'other'],
    ['in its home, which it may leave', GROWN_AGAIN, 'home'],
  ] as const)('must still be where it was found: %s', (_where, view, place) =>
    within({ suffix: 'random', view }, async (engine) => {
      const { home, others } = placesOf(engine, view, keyOf(1))
      const shard = place === 'home' ? home : (others[0] ?? 0)
      await engine.put(shard, keyOf(1))
      expect(await placing(engine, givenOf('Update', keyOf(1)))).toEqual([
        `own Update in ${shard}, item there`,
      ])
    }),
  )

  it('is deleted with every copy that the application has put, and otherwise written in the last place', () =>
    within({ suffix: 'random', view: SHARDS }, async (engine) => {
      for (const shard of [1, 3, 4]) await engine.put(shard, keyOf(1))
      const { home } = placesOf(engine, SHARDS, keyOf(1))
      const expects = home === 1 ? 'either' : 'there'
      expect(await placing(engine, givenOf('Delete', keyOf(1)))).toEqual([
        `own Delete in 1, item ${expects}`,
        'added Delete in 4, item either',
        'added Delete in 3, item either',
      ])
      for (const kind of ['Put', 'Update', 'ConditionCheck'] as const) {
        expect(await placing(engine, givenOf(kind, keyOf(1)))).toEqual([`own ${kind} in 1, item ${expects}`])
      }
    }))
})

describe('an item that is being moved', () => {
  it.each<Kind>(['Put', 'Update', 'Delete'])('must arrive before it is written: %s', (kind) =>
    within({ suffix: 'calculated', view: MOVED }, async (engine) => {
      const id = itemWith(engine, MOVED, 2)
      const { others } = placesOf(engine, MOVED, keyOf(id))
      await engine.put(others[0] ?? 0, { ...keyOf(id), ...MARK })
      const other = givenOf('Put', keyOf(itemWith(engine, MOVED, 1)))
      expect(await placing(engine, other, givenOf(kind, keyOf(id)))).toEqual([`moving from ${others[0]}`])
    }),
  )

  it('is checked where it is, which changes nothing', () =>
    within({ suffix: 'calculated', view: MOVED }, async (engine) => {
      const id = itemWith(engine, MOVED, 2)
      const { others } = placesOf(engine, MOVED, keyOf(id))
      await engine.put(others[0] ?? 0, { ...keyOf(id), ...MARK })
      expect(await placing(engine, givenOf('ConditionCheck', keyOf(id)))).toEqual([
        `own ConditionCheck in ${others[0]}, item there`,
      ])
    }))

  it('must arrive before it is written, from a retired shard, too', () =>
    within({ suffix: 'random', view: RETIRED }, async (engine) => {
      await engine.put(5, { ...keyOf(1), ...MARK })
      await engine.put(6, keyOf(2))
      expect(await placing(engine, givenOf('Update', keyOf(2)))).toEqual(['own Update in 6, item there'])
      expect(await placing(engine, givenOf('Update', keyOf(2)), givenOf('Update', keyOf(1)))).toEqual([
        'moving from 5',
      ])
    }))
})

describe('an item at an old place that was throttled lately', () => {
  const words = async (kind: Kind, view: ShardView, place: 'home' | 'old') => {
    let placed: readonly string[] = []
    await within({ suffix: 'calculated', view }, async (engine) => {
      const id = itemWith(engine, view, 2)
      const { home, others } = placesOf(engine, view, keyOf(id))
      const shard = place === 'home' ? home : (others[0] ?? 0)
      await engine.put(shard, keyOf(id))
      sourceThrottled(engine.table, { S: 'k' } as LogicalKey)
      placed = (await placing(engine, givenOf(kind, keyOf(id)))).map((text) => text.replace(/\d+/, 'shard'))
    })
    return placed
  }

  it.each<Kind>(['Put', 'Update'])('moves before it is written: %s', async (kind) => {
    expect(await words(kind, MOVED, 'old')).toEqual(['moving from shard'])
    expect(await words(kind, MOVED, 'home')).toEqual([`own ${kind} in shard, item there`])
    expect(await words(kind, ANNOUNCED, 'old')).toEqual([`own ${kind} in shard, item there`])
  })

  it.each<Kind>(['Delete', 'ConditionCheck'])('stays there if that is all that is done: %s', async (kind) => {
    expect(await words(kind, MOVED, 'old')).toEqual([`own ${kind} in shard, item there`])
  })
})

describe('an item whose key is too long for its home', () => {
  const LONG = 'x'.repeat(2_046)
  const GROWING = forever(announce(firstState(2, 1_000), 20, 2_000))
  const MOVING = forever(move(announce(firstState(2, 1_000), 20, 2_000), 3_000))
  const longKey = (id: number): StoredItem => ({ ...keyOf(id), pk: { S: LONG } })

  it('is not created, and is checked and deleted where it would have room', () =>
    within({ suffix: 'calculated', view: MOVING }, async (engine) => {
      const ids = Array.from({ length: 50 }, (_, id) => id)
      const isTooLong = (id: number) => placesOf(engine, MOVING, keyOf(id)).home > 9
      const id = ids.find((id) => isTooLong(id)) ?? -1
      const [from] = placesOf(engine, MOVING, keyOf(id)).others
      expect(placesOf(engine, GROWING, keyOf(id)).home).toBe(from)
      for (const kind of ['Put', 'Update'] as const) {
        await expect(placing(engine, givenOf(kind, longKey(id)))).rejects.toMatchObject({
          code: 'key.too-long',
        })
      }
      for (const kind of ['Delete', 'ConditionCheck'] as const) {
        expect(await placing(engine, givenOf(kind, longKey(id)))).toEqual([
          `own ${kind} in ${from}, item either`,
        ])
      }
    }))
})

describe('the view of an item that had to be found', () => {
  it('is the one on which it was found', () =>
    within({ suffix: 'calculated', view: MOVED }, async (engine) => {
      const views = [ANNOUNCED, MOVED]
      Object.assign(engine.table.views, { forWrite: () => (views.length > 1 ? views.shift() : views[0]) })
      const id = itemWith(engine, MOVED, 2)
      const { home, others } = placesOf(engine, MOVED, keyOf(id))
      expect(await placing(engine, givenOf('Put', keyOf(id)))).toEqual([
        `own Put in ${home}, item missing`,
        `added ConditionCheck in ${others[0]}, item missing`,
      ])
    }))
})

describe('the time until which a placed transaction may be sent', () => {
  it('is that of the view that ends first', async () => {
    const tables = [30, 10, 20].map(
      (validUntil) =>
        transactingTable({
          suffix: 'calculated',
          name: `log_${validUntil}`,
          view: { ...fixedView(2), validUntil },
        }).table,
    )
    const members = tables.flatMap((table) =>
      membersOf([table], { Put: { TableName: table.options.name, Item: keyOf(1) } }),
    )
    expect(await placeMembers(members, {} as never)).toMatchObject({ kind: 'placed', validUntil: 10 })
  })
})
