import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it, vi } from 'vitest'
import { MemoryCache, MemoryShardMap } from '../../test/shared-map.js'
import type { LogicalKey } from '../keys/key.js'
import { firstState, type ShardState } from '../shard-map/shard-state.js'
import { CachedShardMapStore } from './cached-shard-map-store.js'
import { parseSecondLevelCache } from './second-level-cache-options.js'
import type { ShardMapCache } from './shard-map-cache.js'

const key = { S: 'k' } as LogicalKey
const table = { shardMap: 'log_shard_map', cacheMilliseconds: 30_000 }

function setUp({
  cache = new MemoryCache() as ShardMapCache,
  admits = (_state: ShardState) => true,
}: {
  readonly cache?: ShardMapCache
  readonly admits?: (state: ShardState) => boolean
} = {}) {
  const store = new MemoryShardMap()
  const clock = new VirtualClock(1_800_000_000_000)
  const onFailed = vi.fn()
  const secondLevel = parseSecondLevelCache('secondLevelCache', { cache })
  const open = (own = clock) =>
    new CachedShardMapStore({ store, table, secondLevel, clock: own, onFailed, admits })
  return { store, clock, onFailed, open }
}

describe('a shared count', () => {
  it('saves the other processes their read of the table', async () => {
    const { store, open } = setUp()
    await open().create(key, 3)
    for (let process = 0; process < 10; process++) {
      expect((await open().read(key, false)).state?.shards).toBe(3)
    }
    expect(store.reads).toBe(0)
  })

  it('goes on ageing from when the table was read, made older by the clock skew', async () => {
    const { clock, open } = setUp()
    await open().create(key, 3)
    const readAt = clock.now()
    clock.advance(20_000)
    expect((await open().read(key, false)).readAt).toBe(readAt - 1_000)
  })

  it('is not used when it is older than a count may be, and is replaced by what the table says', async () => {
    const { store, clock, open } = setUp()
    await open().create(key, 3)
    store.state = firstState(5, 1_800_000_001)
    clock.advance(28_999)
    expect((await open().read(key, false)).state?.shards).toBe(3)
    clock.advance(1)
    expect(await open().read(key, false)).toMatchObject({ state: { shards: 5 }, readAt: clock.now() })
    expect((await open().read(key, false)).state?.shards).toBe(5)
    expect(store.reads).toBe(1)
  })

  it('is not used when it was dated by a clock further ahead than clocks may be', async () => {
    const { store, clock, open } = setUp()
    await open().create(key, 3)
    const readAfter = async (milliseconds: number) => {
      const behind = new VirtualClock(clock.now() - milliseconds)
      const before = store.reads
      await open(behind).read(key, false)
      return store.reads - before
    }
    expect(await readAfter(1_000)).toBe(0)
    expect(await readAfter(1_001)).toBe(1)
  })

  it('is not looked at by a consistent read, which shares what it finds', async () => {
    const { store, open } = setUp()
    await open().create(key, 3)
    store.state = firstState(5, 1_800_000_001)
    expect((await open().read(key, true)).state?.shards).toBe(5)
    expect((await open().read(key, false)).state?.shards).toBe(5)
    expect(store.reads).toBe(1)
  })

  it('is replaced by a change, at once and for all', async () => {
    const { open } = setUp()
    const { state } = await open().create(key, 3)
    await open().change(key, state as ShardState, 8)
    expect((await open().read(key, false)).state?.shards).toBe(8)
  })

  it('is left as it is by the loser of a change', async () => {
    const { open } = setUp()
    const { state } = await open().create(key, 3)
    expect((await open().change(key, firstState(1, 1), 8)).state).toBeUndefined()
    expect((await open().read(key, false)).state).toEqual(state)
  })

  it('is never that a key is missing', async () => {
    const { store, open } = setUp()
    expect((await open().read(key, false)).state).toBeUndefined()
    store.state = firstState(2, 1)
    expect((await open().read(key, false)).state?.shards).toBe(2)
  })

  it('is withdrawn, and not used, where its state is not admitted', async () => {
    const cache = new MemoryCache()
    let closed = false
    const { store, open } = setUp({ cache, admits: () => !closed })
    await open().create(key, 3)
    expect(cache.texts.size).toBe(1)
    closed = true
    await open().read(key, false)
    expect(store.reads).toBe(1)
    expect(cache.texts.size).toBe(0)
  })

  it('is kept for a lifetime, under the name of the shard map', async () => {
    const cache = new MemoryCache()
    await setUp({ cache }).open().create(key, 3)
    expect([...cache.texts.keys()]).toEqual(['log_shard_map/k'])
    expect(cache.ttls).toEqual([30_000])
  })
})

describe('a second-level cache', () => {
  const broken: ShardMapCache = {
    get: () => Promise.reject(new Error('no connection')),
    set: () => Promise.reject(new Error('no connection')),
    delete: () => Promise.reject(new Error('no connection')),
  }

  it('fails no request when it fails, and is told of once a second', async () => {
    const { clock, onFailed, open } = setUp({ cache: broken })
    const store = open()
    await store.create(key, 3)
    for (let read = 0; read < 10; read++) expect((await store.read(key, false)).state?.shards).toBe(3)
    expect(onFailed).toHaveBeenCalledOnce()
    expect(onFailed.mock.lastCall?.[0]).toMatchObject({ message: 'no connection' })
    clock.advance(1_000)
    await store.read(key, false)
    expect(onFailed).toHaveBeenCalledTimes(2)
  })

  it('is waited for no longer than its timeout, and then left alone for a second', async () => {
    const silent: ShardMapCache = { ...broken, get: () => new Promise(() => {}) }
    const { store, clock, onFailed, open } = setUp({ cache: silent })
    store.state = firstState(3, 1)
    await clock.run(async () => {
      const from = clock.now()
      const process = open()
      expect((await process.read(key, false)).state?.shards).toBe(3)
      expect(clock.now() - from).toBe(50)
      await process.read(key, false)
      expect(clock.now() - from).toBe(50)
    })
    expect(onFailed.mock.lastCall?.[0]).toMatchObject({ message: expect.stringContaining('within 50 ms') })
  })

  it.each([
    '',
    'no JSON',
    '{"shards":3}',
    '[2,1800000000000,{}]',
    '[1,"today",{}]',
    '[1,1800000000000,{"number_of_shards":{"N":"x"}}]',
  ])('may hold the text %j of somebody else: the table is asked', async (text) => {
    const cache = new MemoryCache()
    cache.texts.set('log_shard_map/k', text)
    const { store, open } = setUp({ cache })
    store.state = firstState(4, 1)
    expect((await open().read(key, false)).state?.shards).toBe(4)
  })

  it.each([
    ['options.invalid', { cache: { get: () => {} } }],
    ['options.invalid', { cache: new MemoryCache(), timeout: 'soon' }],
    ['options.unknown', { cache: new MemoryCache(), ttl: 3 }],
  ])('is refused with %s for %j', (code, options) => {
    expect(() => parseSecondLevelCache('options.secondLevelCache', options as never)).toThrow(
      expect.objectContaining({ code }),
    )
  })
})
