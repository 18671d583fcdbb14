import { describe, expect, it } from 'vitest'
import { drivenKeys, KEY } from '../../test/driven-keys.js'
import { serviceError } from '../../test/scripted-client.js'
import { MoveSender } from '../attempts/move-sender.js'
import type { LogicalKey } from '../keys/key.js'
import { placementIn } from '../protocol/placement/placement-in.js'
import { announce, move } from '../protocol/states/calculated-count.js'
import { resize } from '../protocol/states/random-count.js'
import { type AtRest, firstState, type ShardState } from '../protocol/states/shard-state.js'
import { viewOf } from '../protocol/states/shard-view.js'
import { type DrainPassOptions, drainPass, type PassProgress } from './drain-pass.js'

type Keys = ReturnType<typeof drivenKeys>

/** A random key of one shard that has lost two others. */
function fallen(keys: Keys): ShardState {
  return resize(firstState(3, keys.seconds() - 600), 1, keys.seconds())
}

function passOf(keys: Keys, state: ShardState, options: Partial<DrainPassOptions> = {}, key = KEY) {
  keys.states.set(state, key)
  const told: PassProgress[] = []
  const passed = keys.clock.run(() =>
    drainPass(keys.table, key, {
      sender: new MoveSender(keys.table, { maxAttempts: 3, pace: undefined, signal: undefined }),
      currentView: async () => keys.shardMap.forWrite(key),
      confirmed: async () => {},
      sources: [3, 2],
      discards: false,
      itemsAtATime: 1,
      onPage: (progress) => told.push(progress),
      ...options,
    }),
  )
  passed.catch(() => {})
  return { passed, told }
}

describe('a pass', () => {
  it('empties one shard after the other, and tells its progress after each page', async () => {
    const keys = drivenKeys()
    keys.put(3, 1)
    keys.put(3, 2)
    keys.put(2, 3)
    const { passed, told } = passOf(keys, fallen(keys))
    const twoCopies = 0
    expect(await passed).toEqual({ scanned: 3, moved: 3, twoCopies, shard: 2, shards: 2 })
    expect(told).toEqual([
      { scanned: 2, moved: 2, twoCopies, shard: 3, shards: 2 },
      { scanned: 3, moved: 3, twoCopies, shard: 2, shards: 2 },
    ])
    expect(keys.places().sort()).toEqual(['1:1', '1:2', '1:3'])
  })

  it('names the shard of a page without items, too', async () => {
    const keys = drivenKeys()
    const { passed, told } = passOf(keys, fallen(keys))
    expect(await passed).toMatchObject({ scanned: 0, moved: 0 })
    expect(told.map(({ shard }) => shard)).toEqual([3, 2])
  })

  it('finds nothing on a page of an engine that leaves out an empty list', async () => {
    const keys = drivenKeys()
    const send = async () => ({ $metadata: { attempts: 1 } })
    const table = { ...keys.table, client: Object.create(keys.table.client, { send: { value: send } }) }
    const { passed } = passOf({ ...keys, table }, fallen(keys))
    expect(await passed).toMatchObject({ scanned: 0, moved: 0 })
  })

  it('asks whether it goes on before each page and each item, and reads the shard map again only for pages with items', async () => {
    const keys = drivenKeys()
    keys.put(3, 1)
    keys.put(3, 2)
    let [views, confirmed] = [0, 0]
    const { passed } = passOf(keys, fallen(keys), {
      currentView: async () => {
        views += 1
        return keys.shardMap.forWrite(KEY)
      },
      confirmed: async () => {
        confirmed += 1
      },
    })
    await passed
    expect([views, confirmed]).toEqual([4, 1])
  })

  it('reads each page after the one before, consistently, and only the keys and the marks of the items', async () => {
    const keys = drivenKeys()
    // Items that stay: they are at home in a shard that is in use again.
    for (let sk = 0; sk < 101; sk++) keys.put(3, sk)
    const { passed, told } = passOf(keys, resize(fallen(keys) as AtRest, 3, keys.seconds()), {
      itemsAtATime: 8,
    })
    await passed
    expect(told.map(({ shard, scanned }) => [shard, scanned])).toEqual([
      [3, 100],
      [3, 101],
      [2, 101],
    ])
    const queries = keys.service.tables.requests.filter(({ operation }) => operation === 'Query')
    expect(queries.map(({ input }) => input.ExclusiveStartKey)).toEqual([
      undefined,
      { pk: { S: 'k_3' }, sk: { N: '99' } },
      undefined,
    ])
    expect(queries[0]?.input).toMatchObject({
      TableName: 'log',
      ConsistentRead: true,
      ProjectionExpression: '#key, #moving, #sort',
      ExpressionAttributeNames: { '#key': 'pk', '#moving': 'isotherm_moving', '#sort': 'sk' },
    })
  })

  it('leaves out the shards whose names a long key has no room for', async () => {
    const keys = drivenKeys()
    const long = { S: 'x'.repeat(2_046) } as LogicalKey
    const { passed, told } = passOf(keys, fallen(keys), { sources: [10, 3] }, long)
    await passed
    expect(told.map(({ shard }) => shard)).toEqual([3])
  })

  it('finishes the earlier move of an item whose shard is in use again', async () => {
    const keys = drivenKeys()
    keys.put(3, 1, { isotherm_moving: { S: '1:77' } })
    keys.put(3, 2)
    const { passed } = passOf(keys, resize(fallen(keys) as AtRest, 3, keys.seconds()))
    expect(await passed).toMatchObject({ scanned: 2, moved: 1 })
    expect(keys.places().sort()).toEqual(['1:1', '3:2'])
  })

  it('moves the item of a calculated key in a table without a sort key', async () => {
    const keys = drivenKeys({ suffix: 'calculated', sortKey: undefined })
    const now = keys.seconds()
    const state = move(announce(firstState(1, now - 600), 9, now - 60), now)
    const home = placementIn(keys.table).home(viewOf(state, 0), { logical: KEY, sort: undefined })
    expect(home).not.toBe(1)
    keys.service.tables.execute('PutItem', { TableName: 'log', Item: { pk: { S: 'k_1' }, n: { N: '5' } } })
    const { passed } = passOf(keys, state, { sources: [1] })
    expect(await passed).toMatchObject({ scanned: 1, moved: 1 })
    expect(keys.service.tables.items('log')).toMatchObject([{ pk: { S: `k_${home}` }, n: { N: '5' } }])
  })
})

describe('an item without room for its move', () => {
  it('is reported after the other items have moved', async () => {
    const keys = drivenKeys()
    for (const sk of [1, 2, 3]) keys.put(3, sk)
    keys.put(2, 4)
    keys.service.before = (operation, input) => {
      if (operation === 'UpdateItem' && JSON.stringify(input).includes('"2"')) {
        throw serviceError('ValidationException')
      }
    }
    const { passed, told } = passOf(keys, fallen(keys))
    await expect(passed).rejects.toMatchObject({ code: 'move.no-room', details: { sortKey: { N: '2' } } })
    expect(keys.places().sort()).toEqual(['1:1', '1:3', '1:4', '3:2'])
    expect(told.at(-1)).toMatchObject({ scanned: 4, moved: 3 })
  })

  it('ends the pass at once where its shard is full, because most of the others would be refused, too', async () => {
    const keys = drivenKeys()
    for (const sk of [1, 2, 3]) keys.put(3, sk)
    let moves = 0
    keys.service.before = (operation) => {
      if (operation !== 'TransactWriteItems') return
      moves += 1
      throw serviceError('ItemCollectionSizeLimitExceededException')
    }
    const { passed, told } = passOf(keys, fallen(keys))
    await expect(passed).rejects.toMatchObject({ code: 'move.no-room', details: { reason: 'shard' } })
    expect(moves).toBe(1)
    expect(told).toMatchObject([{ scanned: 0, moved: 0, shard: 3 }])
  })
})
