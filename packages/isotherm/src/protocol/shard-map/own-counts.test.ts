import { describe, expect, it } from 'vitest'
import { CACHE_MILLISECONDS, HEAT, KEY, openMap, START_SECONDS } from '../../../test/carded-map.js'
import { announce } from '../states/calculated-count.js'
import { resize } from '../states/random-count.js'
import { firstState, isChanging, repeatedState, type ShardState } from '../states/shard-state.js'

const OWN = firstState(3, 7)
const INITIAL = firstState(1, 0)
const MIGRATED = firstState(4, START_SECONDS - 100)
const CACHED = { consistent: false }
const LISTED = { listed: new Set(['k']) }

describe('whether a key has a count of its own', () => {
  it('is said by its item and by the card', async () => {
    const { shardMap, store, near, cards } = openMap()
    expect(await shardMap.hasOwnCount(KEY)).toBe(false)
    store.state = OWN
    await shardMap.viewNow(KEY)
    // The item of a key that is not listed counts for nothing.
    expect(await shardMap.hasOwnCount(KEY)).toBe(false)
    near.change(LISTED)
    await cards.readNow(KEY)
    expect(await shardMap.hasOwnCount(KEY)).toBe(true)
  })

  it('is denied for a listed key whose item repeats the initial count', async () => {
    const { shardMap, store, near } = openMap()
    near.change(LISTED)
    store.state = repeatedState(INITIAL, 7)
    expect(await shardMap.hasOwnCount(KEY)).toBe(false)
  })

  it('is denied for a key that another process lists while the card is looked at', async () => {
    const { shardMap, near, cards } = openMap()
    await cards.current(KEY)
    const known = shardMap.hasOwnCount(KEY)
    near.change(LISTED)
    cards.current = (key) => cards.readNow(key)
    expect(await known).toBe(false)
  })

  it('is true of every key in a table without a card', async () => {
    const { shardMap, store } = openMap({ hasCard: false })
    store.state = OWN
    expect(await shardMap.hasOwnCount(KEY)).toBe(true)
  })
})

describe('an item that repeats the initial count', () => {
  it('is returned with its own history while the card has that count', async () => {
    const { shardMap, store } = openMap()
    store.state = { ...firstState(1, 5), lastUpdated: 9, initialAsOf: 0 }
    expect(await shardMap.reread(KEY)).toBe(store.state)
  })

  it.each([
    ['signs of the fleet', { fleet: { lastBusy: 7, heat: HEAT, lastGrowth: undefined } }],
    ['none', {}],
  ])(
    'has the count of the card after a migration, and keeps its time and its signs: %s',
    async (_what, signs) => {
      const { shardMap, store, near } = openMap()
      near.change({ initial: MIGRATED })
      store.state = { ...repeatedState(INITIAL, 9), ...signs }
      expect(await shardMap.reread(KEY)).toStrictEqual({
        ...repeatedState(MIGRATED, 9),
        lastUpdated: 9,
        ...signs,
      })
    },
  )

  it('is added for a key that is to have one, and repeats the count of the card', async () => {
    const { shardMap, store, near } = openMap()
    near.change({ initial: firstState(2, 0) })
    expect(await shardMap.ensure(KEY)).toEqual(repeatedState(near.card.initial, START_SECONDS))
    expect(store.state?.initialAsOf).toBe(0)
  })
})

describe('the view of a key that the card lists', () => {
  it('is that of the card for a key without an item, as long as both reads are valid', async () => {
    const { clock, shardMap, near, cards } = openMap()
    near.change({ listed: 'all', initial: MIGRATED })
    await cards.current(KEY)
    clock.advance(1_000)
    const view = await shardMap.forRead(KEY, CACHED)
    expect(view).toMatchObject({
      shards: 4,
      validUntil: START_SECONDS * 1_000 + CACHE_MILLISECONDS,
    })
    clock.advance(1_000)
    await cards.readNow(KEY)
    expect(shardMap.forRead(KEY, CACHED)).toMatchObject({
      shards: 4,
      validUntil: START_SECONDS * 1_000 + 1_000 + CACHE_MILLISECONDS,
    })
  })

  it('is used again without a read of the item', async () => {
    const { shardMap, store, near } = openMap()
    near.change(LISTED)
    store.state = repeatedState(INITIAL, 7)
    await shardMap.forWrite(KEY)
    expect(shardMap.forWrite(KEY)).toMatchObject({ shards: 1 })
    expect(store.reads).toBe(1)
  })

  it('is that of its item if it has a count of its own', async () => {
    const { shardMap, store, near } = openMap()
    near.change(LISTED)
    store.state = OWN
    expect(await shardMap.forWrite(KEY)).toMatchObject({ shards: 3 })
    expect(await shardMap.viewNow(KEY)).toMatchObject({ shards: 3 })
  })
})

describe('a read of the shard map', () => {
  it('is reported with the state that requests still used, if it found a count of its own', async () => {
    const { clock, shardMap, store, seen } = openMap({ hasCard: false })
    await shardMap.viewNow(KEY)
    expect(seen).toEqual([])
    const later = resize(OWN, 4, 8)
    store.state = OWN
    await shardMap.viewNow(KEY)
    store.state = later
    clock.advance(CACHE_MILLISECONDS - 1)
    await shardMap.viewNow(KEY)
    clock.advance(CACHE_MILLISECONDS)
    await shardMap.viewNow(KEY)
    expect(seen).toEqual([
      { state: OWN, inUse: undefined },
      { state: later, inUse: OWN },
      { state: later, inUse: undefined },
    ])
  })

  it('is not reported if the item repeats the initial count', async () => {
    const { shardMap, store, seen } = openMap()
    store.state = repeatedState(INITIAL, 7)
    await shardMap.viewNow(KEY)
    expect(seen).toEqual([])
  })
})

describe('a change of a count', () => {
  it('begins after the key is listed', async () => {
    const { shardMap, store, near } = openMap()
    const first = await shardMap.ensure(KEY)
    const next = resize({ ...INITIAL, lastUpdated: first.lastUpdated }, 2, START_SECONDS + 1)
    store.beforeReplace = () => expect(near.card.listed).toEqual(new Set(['k']))
    expect(await shardMap.begin(KEY, first, next)).toBe(next)
    expect(store.state).toBe(next)
  })

  it('begins in a table without a card, too', async () => {
    const { shardMap, store } = openMap({ hasCard: false })
    store.state = OWN
    const next = resize(OWN, 4, 8)
    expect(await shardMap.begin(KEY, OWN, next)).toBe(next)
  })

  it('does not begin at a key that repeats an initial count that is changing', async () => {
    const { shardMap, store, near } = openMap({ growsAtOnce: false })
    near.change({ initial: announce(INITIAL, 2, START_SECONDS - 10) })
    const seen = await shardMap.ensure(KEY)
    expect(isChanging(seen)).toBe(true)
    expect(await shardMap.begin(KEY, seen, resize(OWN, 4, START_SECONDS + 1))).toBeUndefined()
    expect(store.state).toBe(seen)
    expect(near.card.listed).toEqual(new Set())
  })

  it('does not begin if the initial count has changed since', async () => {
    const { shardMap, store, near } = openMap()
    const seen = await shardMap.ensure(KEY)
    near.change({ initial: MIGRATED })
    expect(await shardMap.begin(KEY, seen, resize(OWN, 2, START_SECONDS + 1))).toBeUndefined()
    expect(store.state).toBe(seen)
  })

  it('that another process has ended leaves its state, and reports nothing', async () => {
    const { shardMap, store, near, cards, failed } = openMap()
    near.change(LISTED)
    await cards.current(KEY)
    store.state = OWN
    expect(await shardMap.end(KEY, firstState(2, 6), firstState(1, 8))).toBeUndefined()
    expect(store.state).toBe(OWN)
    expect([failed, near.unlisted]).toEqual([[], []])
  })
})

/** Ends a change of the key with this state. */
async function ended(next: ShardState, { map = openMap(), isCardKnown = true } = {}) {
  map.store.state = OWN
  if (isCardKnown) await map.cards.current(KEY)
  const reads = map.near.reads
  expect(await map.shardMap.end(KEY, OWN, next)).toBe(next)
  return { ...map, cardReads: map.near.reads - reads }
}

describe('a change that ends at the initial count', () => {
  const NEXT = firstState(1, START_SECONDS)

  it('takes the key off the card, and marks its item as one that repeats the count', async () => {
    const { store, near, failed } = await ended(NEXT)
    expect(store.state).toEqual({ ...NEXT, lastUpdated: START_SECONDS + 1, initialAsOf: 0 })
    expect([near.unlisted, failed]).toEqual([['k'], []])
  })

  it('takes no key off a card that lists all of them', async () => {
    const map = openMap()
    map.near.change({ listed: 'all' })
    const { store, near } = await ended(NEXT, { map })
    expect(store.state).toHaveProperty('initialAsOf', 0)
    expect(near.unlisted).toEqual([])
  })

  it('leaves the key on the card if another process changes the item meanwhile', async () => {
    const map = openMap()
    const other = firstState(5, START_SECONDS + 9)
    map.store.beforeReplace = (next) => {
      if (next.initialAsOf !== undefined) map.store.state = other
    }
    const { store, near } = await ended(NEXT, { map })
    expect(store.state).toBe(other)
    expect(near.unlisted).toEqual([])
  })

  it('leaves the key as it is if the initial count has changed since the card was read', async () => {
    const map = openMap()
    await map.cards.current(KEY)
    map.near.change({ initial: MIGRATED })
    const { store, near, failed } = await ended(NEXT, { map })
    expect(store.state).toBe(NEXT)
    expect([near.unlisted, failed]).toEqual([[], []])
  })

  it('leaves the key as it is where the card was never read, or there is none', async () => {
    for (const map of [openMap(), openMap({ hasCard: false })]) {
      const { store, near, failed } = await ended(NEXT, { map, isCardKnown: false })
      expect(store.state).toBe(NEXT)
      expect([near.unlisted, failed]).toEqual([[], []])
    }
  })

  it('leaves the key as it is at any other count, without a read of the card', async () => {
    const next = firstState(2, START_SECONDS)
    const { store, near, cardReads } = await ended(next)
    expect(store.state).toBe(next)
    expect([near.unlisted, cardReads]).toEqual([[], 0])
  })
})

describe('a key that is to come off the card', () => {
  it('comes off if its own count is the initial one', async () => {
    const { shardMap, store, near } = openMap()
    store.state = firstState(1, 7)
    await shardMap.unlist(KEY)
    expect(store.state).toHaveProperty('initialAsOf', 0)
    expect(near.unlisted).toEqual(['k'])
  })

  it.each([
    ['repeats the initial count already', repeatedState(INITIAL, 7)],
    ['has no item', undefined],
  ])('stays as it is if it %s', async (_what, state) => {
    const { shardMap, store, near } = openMap()
    store.state = state
    await shardMap.unlist(KEY)
    expect(store.state).toBe(state)
    expect(near.unlisted).toEqual([])
  })
})
