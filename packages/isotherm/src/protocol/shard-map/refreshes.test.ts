import { describe, expect, it } from 'vitest'
import { CACHE_MILLISECONDS, KEY, openMap } from '../../../test/carded-map.js'
import { announce } from '../states/calculated-count.js'
import { firstState, repeatedState } from '../states/shard-state.js'

const OWN = firstState(3, 7)
const CHANGING = announce(OWN, 4, 8)
const CACHED = { consistent: false }

/** Lets what was begun in the background end. */
const inBackground = () => new Promise((resolve) => setImmediate(resolve))

describe('an entry of the shard map that is in use', () => {
  it('is read again in the background from half of its lifetime on, not before', async () => {
    const { clock, shardMap, store } = openMap({ hasCard: false })
    store.state = OWN
    await shardMap.forWrite(KEY)
    clock.advance(CACHE_MILLISECONDS / 2 - 1)
    shardMap.forWrite(KEY)
    expect(store.reads).toBe(1)
    clock.advance(1)
    shardMap.forWrite(KEY)
    await inBackground()
    expect(store.reads).toBe(2)
    expect(store.creations).toBe(0)
  })

  it('is waited for from the end of its lifetime on', async () => {
    const { clock, shardMap, store } = openMap({ hasCard: false })
    store.state = OWN
    await shardMap.forWrite(KEY)
    clock.advance(CACHE_MILLISECONDS)
    expect(shardMap.forRead(KEY, CACHED)).toBeInstanceOf(Promise)
  })

  it('is read once at a time, and a failure of that is reported once', async () => {
    const { clock, shardMap, store, failed } = openMap({ hasCard: false })
    store.state = OWN
    await shardMap.forWrite(KEY)
    const denied = new Error('denied')
    store.read = () => Promise.reject(denied)
    clock.advance(CACHE_MILLISECONDS / 2)
    for (let request = 0; request < 3; request++) shardMap.forWrite(KEY)
    await inBackground()
    expect(failed).toEqual([denied])
  })

  it.each([
    [30_000, 1_000],
    [1_000, 500],
  ])('of %i ms is read again after %i ms while a phase is due', async (cacheMilliseconds, after) => {
    const { clock, shardMap, store } = openMap({
      hasCard: false,
      growsAtOnce: false,
      cacheMilliseconds,
      isPhaseDue: () => true,
    })
    store.state = CHANGING
    await shardMap.forWrite(KEY)
    clock.advance(after - 1)
    shardMap.forWrite(KEY)
    expect(store.reads).toBe(1)
    clock.advance(1)
    shardMap.forWrite(KEY)
    await inBackground()
    expect(store.reads).toBe(2)
  })

  it.each([
    ['the phase of a change is not due yet', CHANGING, false],
    ['no item moves', OWN, true],
  ])('is not read earlier if %s', async (_what, state, isDue) => {
    const { clock, shardMap, store } = openMap({ hasCard: false, isPhaseDue: () => isDue })
    store.state = state
    await shardMap.forWrite(KEY)
    clock.advance(CACHE_MILLISECONDS / 2 - 1)
    shardMap.forWrite(KEY)
    await inBackground()
    expect(store.reads).toBe(1)
  })
})

describe('an entry of a key that the card does not list', () => {
  it.each([
    ['repeats the initial count', repeatedState(firstState(1, 0), 7)],
    ['has the initial count', firstState(1, 7)],
    ['is missing', undefined],
  ])('is not read again if the item %s', async (_what, state) => {
    const { clock, shardMap, store } = openMap()
    store.state = state
    await shardMap.viewNow(KEY)
    clock.advance(CACHE_MILLISECONDS / 2)
    shardMap.forWrite(KEY)
    await inBackground()
    expect(store.reads).toBe(1)
  })

  it('is read again if it has another count', async () => {
    const { clock, shardMap, store } = openMap()
    store.state = OWN
    await shardMap.viewNow(KEY)
    clock.advance(CACHE_MILLISECONDS / 2)
    shardMap.forWrite(KEY)
    await inBackground()
    expect(store.reads).toBe(2)
  })
})

describe('a key without an item', () => {
  it('is asked for once in a lifetime if that is remembered', async () => {
    const { shardMap, store } = openMap({ hasCard: false })
    await shardMap.forRead(KEY, CACHED)
    expect(shardMap.forRead(KEY, CACHED)).toMatchObject({ shards: 1 })
    expect(store.reads).toBe(1)
  })

  it('is asked for by each request if that is not remembered, until it has an item', async () => {
    const { shardMap, store } = openMap({ hasCard: false, remembersMissing: false })
    await shardMap.forRead(KEY, CACHED)
    await shardMap.forRead(KEY, CACHED)
    expect(store.reads).toBe(2)
    store.state = OWN
    await shardMap.forRead(KEY, CACHED)
    expect(shardMap.forRead(KEY, CACHED)).toMatchObject({ shards: 3 })
    expect(store.reads).toBe(3)
  })
})

describe('a refresh of an entry that is older than asked for', () => {
  it('is begun at that age, once at a time', async () => {
    const { clock, shardMap, store } = openMap({ hasCard: false })
    store.state = OWN
    expect(shardMap.refreshIfOlder(KEY, 0)).toBe(false)
    await shardMap.forWrite(KEY)
    clock.advance(999)
    expect(shardMap.refreshIfOlder(KEY, 1_000)).toBe(false)
    expect(store.reads).toBe(1)
    clock.advance(1)
    expect(shardMap.refreshIfOlder(KEY, 1_000)).toBe(true)
    expect(shardMap.refreshIfOlder(KEY, 1_000)).toBe(false)
    await inBackground()
    expect(store.reads).toBe(2)
    expect(shardMap.refreshIfOlder(KEY, 1_000)).toBe(false)
  })

  it('reads the item of a key with a count of its own, and the card for any other key', async () => {
    const { clock, shardMap, store, near } = openMap()
    expect(shardMap.refreshIfOlder(KEY, 1_000)).toBe(false)
    await shardMap.forWrite(KEY)
    clock.advance(1_000)
    expect(shardMap.refreshIfOlder(KEY, 1_000)).toBe(true)
    await inBackground()
    expect([near.reads, store.reads]).toEqual([2, 0])
    store.state = OWN
    await shardMap.viewNow(KEY)
    clock.advance(1_000)
    expect(shardMap.refreshIfOlder(KEY, 1_000)).toBe(true)
    await inBackground()
    expect([near.reads, store.reads]).toEqual([2, 2])
  })

  it('reports that it failed', async () => {
    const { shardMap, store, failed } = openMap({ hasCard: false })
    store.state = OWN
    await shardMap.forWrite(KEY)
    const denied = new Error('denied')
    store.read = () => Promise.reject(denied)
    shardMap.refreshIfOlder(KEY, 0)
    await inBackground()
    expect(failed).toEqual([denied])
  })
})

describe('a request that waits for a read that an earlier one has begun', () => {
  it('reads again if that one is lost', async () => {
    const { shardMap, store } = openMap({ hasCard: false })
    const answering = store.read.bind(store)
    store.state = OWN
    store.read = () => {
      store.read = answering
      return Promise.reject(new Error('socket hang up'))
    }
    const first = Promise.resolve(shardMap.forRead(KEY, CACHED))
    const second = Promise.resolve(shardMap.forRead(KEY, CACHED))
    await expect(first).rejects.toThrow('socket hang up')
    expect(await second).toMatchObject({ shards: 3 })
  })
})

describe('a read with a cursor', () => {
  it('reads the shard map again only if the cursor is in a shard that the cached view does not have', async () => {
    const { shardMap, store } = openMap({ hasCard: false })
    store.state = OWN
    await shardMap.forRead(KEY, CACHED)
    expect(shardMap.forRead(KEY, { ...CACHED, atLeast: 3 })).toMatchObject({ readable: 3 })
    expect(store.reads).toBe(1)
    await shardMap.forRead(KEY, { ...CACHED, atLeast: 4 })
    expect(store.reads).toBe(2)
  })
})
