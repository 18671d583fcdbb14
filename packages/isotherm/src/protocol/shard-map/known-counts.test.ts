import { describe, expect, it } from 'vitest'
import { CACHE_MILLISECONDS, KEY, openMap } from '../../../test/carded-map.js'
import { REPLICAS_MILLISECONDS } from '../states/drive-rules.js'
import { resize } from '../states/random-count.js'
import { firstState, repeatedState } from '../states/shard-state.js'

const OWN = firstState(3, 7)
const CACHED = { consistent: false }

describe('the count that a process knows without a request', () => {
  it('is none before anything was read', () => {
    for (const hasCard of [true, false]) {
      const { shardMap, near, store } = openMap({ hasCard })
      expect(shardMap.known(KEY)).toBeUndefined()
      expect(shardMap.peek(KEY)).toBeUndefined()
      expect([near.reads, store.reads]).toEqual([0, 0])
    }
  })

  it('is the initial one for a key that the card does not list, whether or not its item was looked for', async () => {
    const { shardMap, near, cards } = openMap()
    near.change({ initial: firstState(4, 0) })
    await cards.current(KEY)
    expect(shardMap.known(KEY)).toBe(4)
    expect(shardMap.peek(KEY)).toBe(near.card.initial)
    await shardMap.viewNow(KEY)
    expect(shardMap.known(KEY)).toBe(4)
  })

  it('is none for a key that the card lists until its item was read, and the initial one if it has no item', async () => {
    const { shardMap, near, cards } = openMap()
    near.change({ initial: firstState(4, 0), listed: 'all' })
    await cards.current(KEY)
    expect(shardMap.known(KEY)).toBeUndefined()
    await shardMap.viewNow(KEY)
    expect(shardMap.known(KEY)).toBe(4)
  })

  it('is its own for a key that has one', async () => {
    const { shardMap, near, store } = openMap()
    near.change({ listed: new Set(['k']) })
    store.state = OWN
    await shardMap.viewNow(KEY)
    expect(shardMap.known(KEY)).toBe(3)
    expect(shardMap.peek(KEY)).toBe(OWN)
  })

  it('is that of its item for a table without a card', async () => {
    const { shardMap, store } = openMap({ hasCard: false })
    await shardMap.viewNow(KEY)
    expect(shardMap.known(KEY)).toBeUndefined()
    store.state = OWN
    await shardMap.viewNow(KEY)
    expect(shardMap.known(KEY)).toBe(3)
  })
})

describe('the options of a table', () => {
  it('are checked by its card, unless that was read already', async () => {
    const { shardMap, near } = openMap()
    const check = shardMap.checkTable(KEY)
    expect(check).toBeInstanceOf(Promise)
    await check
    expect(shardMap.checkTable(KEY)).toBeUndefined()
    expect(near.reads).toBe(1)
  })

  it('are not checked for counts without a card', () => {
    expect(openMap({ hasCard: false }).shardMap.checkTable(KEY)).toBeUndefined()
  })
})

describe('the view by which a consistent read asks the shards before its view is confirmed', () => {
  it('is the last one, however old', async () => {
    for (const hasCard of [true, false]) {
      const { clock, shardMap, store, near } = openMap({ hasCard })
      near.change({ listed: new Set(['k']) })
      store.state = OWN
      const view = await shardMap.viewNow(KEY)
      clock.advance(10 * CACHE_MILLISECONDS)
      expect(shardMap.guess(KEY)).toEqual({ ...view, validUntil: Number.POSITIVE_INFINITY })
    }
  })

  it('of a key without a count of its own is valid for as long as a count is kept after its last items have moved', async () => {
    const { clock, shardMap, store, near, cards } = openMap()
    const { view } = await cards.readNow(KEY)
    const guessed = () => ({ ...view, validUntil: clock.now() + REPLICAS_MILLISECONDS })
    clock.advance(10 * CACHE_MILLISECONDS)
    expect(shardMap.guess(KEY)).toEqual(guessed())
    near.change({ listed: new Set(['k']) })
    store.state = repeatedState(near.card.initial, 7)
    await shardMap.viewNow(KEY)
    expect(shardMap.guess(KEY)).toEqual(guessed())
  })

  it('is that of the card if a key that is not listed any more had a count of its own before', async () => {
    const { clock, shardMap, store, cards } = openMap()
    store.state = OWN
    await shardMap.viewNow(KEY)
    clock.advance(1)
    const { view } = await cards.readNow(KEY)
    expect(shardMap.guess(KEY)).toEqual({ ...view, validUntil: clock.now() + REPLICAS_MILLISECONDS })
  })

  it('is none if the count was never read', () => {
    expect(openMap().shardMap.guess(KEY)).toBeUndefined()
  })

  it('is none while items move, and for counts that do not grow at once', async () => {
    const { shardMap, store } = openMap({ hasCard: false })
    store.state = resize(OWN, 2, 8)
    expect(await shardMap.viewNow(KEY)).toMatchObject({ moves: { kind: 'drain' } })
    expect(shardMap.guess(KEY)).toBeUndefined()
    const calculated = openMap({ hasCard: false, growsAtOnce: false })
    calculated.store.state = OWN
    await calculated.shardMap.viewNow(KEY)
    expect(calculated.shardMap.guess(KEY)).toBeUndefined()
  })
})

describe('the last view of a key that is not listed any more', () => {
  it('is that of the read that is valid for longer: of its item, or of the card', async () => {
    const { clock, shardMap, store, near, cards } = openMap()
    store.state = OWN
    near.change({ listed: new Set(['k']) })
    const own = await shardMap.viewNow(KEY)
    near.change({ listed: new Set() })
    await cards.readNow(KEY)
    expect(shardMap.lastView(KEY)).toBe(own)
    clock.advance(1)
    const { view } = await cards.readNow(KEY)
    expect(shardMap.lastView(KEY)).toBe(view)
  })
})

describe('the one shard of a random key', () => {
  it('is known by the card, which is waited for once', async () => {
    const { shardMap, near, store } = openMap()
    const first = shardMap.oneShard(KEY)
    expect(first).toBeInstanceOf(Promise)
    expect(await first).toMatchObject({ shards: 1, readable: 1 })
    expect(shardMap.oneShard(KEY)).toMatchObject({ shards: 1, readable: 1 })
    expect([near.reads, store.reads]).toEqual([1, 0])
  })

  it('is not known of a key that the card lists, until its item was read', async () => {
    const { shardMap, near, cards, store } = openMap()
    near.change({ listed: new Set(['k']) })
    store.state = firstState(1, 7)
    await cards.current(KEY)
    expect(shardMap.oneShard(KEY)).toBeUndefined()
    const view = await shardMap.viewNow(KEY)
    expect(shardMap.oneShard(KEY)).toBe(view)
  })

  it('is not there for a key with several shards, of its own or by the card', async () => {
    const { shardMap, near, cards, store } = openMap()
    near.change({ initial: firstState(2, 0) })
    await cards.current(KEY)
    expect(shardMap.oneShard(KEY)).toBeUndefined()
    near.change({ listed: new Set(['k']), initial: firstState(1, 0) })
    store.state = resize(OWN, 1, 8)
    await shardMap.viewNow(KEY)
    expect(shardMap.oneShard(KEY)).toBeUndefined()
  })

  it('is not looked for in a table without a card, or one whose counts do not grow at once', async () => {
    expect(openMap({ hasCard: false }).shardMap.oneShard(KEY)).toBeUndefined()
    const { shardMap, near } = openMap({ growsAtOnce: false })
    await shardMap.forRead(KEY, CACHED)
    expect(shardMap.oneShard(KEY)).toBeUndefined()
    expect(near.reads).toBe(1)
  })
})
