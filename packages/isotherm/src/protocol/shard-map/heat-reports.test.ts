import { describe, expect, it } from 'vitest'
import { CACHE_MILLISECONDS, HEAT, KEY, openMap, START_SECONDS } from '../../../test/carded-map.js'
import { firstState, repeatedState } from '../states/shard-state.js'

const OWN = firstState(3, 7)
const MIGRATED = firstState(4, START_SECONDS - 100)

describe('a report of heat', () => {
  it.each([true, false])(
    'is added to a key with that count, with one request (card: %s)',
    async (hasCard) => {
      const { shardMap, store, near } = openMap({ hasCard })
      store.state = OWN
      const state = await shardMap.report(KEY, OWN, HEAT)
      expect(state).toMatchObject({ shards: 3, fleet: { heat: HEAT } })
      expect([store.reports, store.reads, near.reads]).toEqual([1, 0, 0])
    },
  )

  it.each([true, false])(
    'finds the other count that a key has, and is not repeated (card: %s)',
    async (hasCard) => {
      const { shardMap, store, near } = openMap({ hasCard })
      store.state = OWN
      expect(await shardMap.report(KEY, firstState(2, 6), HEAT)).toBe(OWN)
      expect(store.state).toBe(OWN)
      expect([store.reports, store.reads, near.reads]).toEqual([1, 0, 0])
    },
  )

  it('is added to a key that repeats the initial count, with one request', async () => {
    const { shardMap, store, near } = openMap()
    const repeated = repeatedState(near.card.initial, 7)
    store.state = repeated
    expect(await shardMap.report(KEY, near.card.initial, HEAT)).toMatchObject({
      shards: 1,
      fleet: { heat: HEAT },
    })
    expect([store.reports, store.reads, near.reads]).toEqual([1, 0, 0])
  })

  it('of a key without an item creates the item, and is added to it', async () => {
    const { shardMap, store, near } = openMap()
    const state = await shardMap.report(KEY, near.card.initial, HEAT)
    expect(state).toEqual({ ...repeatedState(near.card.initial, START_SECONDS), fleet: store.state?.fleet })
    expect(state?.fleet?.heat).toBe(HEAT)
    expect([store.reports, store.creations]).toEqual([2, 1])
  })

  it('creates no item in a table without a card', async () => {
    const { shardMap, store } = openMap({ hasCard: false })
    expect(await shardMap.report(KEY, OWN, HEAT)).toBeUndefined()
    expect([store.reports, store.creations, store.reads]).toEqual([1, 0, 1])
  })

  it('under a count that the table no longer begins with is not added', async () => {
    const { shardMap, store, near } = openMap()
    near.change({ initial: MIGRATED })
    expect(await shardMap.report(KEY, firstState(1, 0), HEAT)).toMatchObject({ shards: 4 })
    expect(store.state).not.toHaveProperty('fleet')
    expect(store.reports).toBe(1)
  })

  it('returns the state that was found if a slow engine does not return it with the report', async () => {
    const { clock, shardMap, store, near } = openMap()
    store.report = async () => {
      if (store.creations > 0) clock.advance(CACHE_MILLISECONDS)
      return undefined
    }
    expect(await shardMap.report(KEY, near.card.initial, HEAT)).toEqual(
      repeatedState(near.card.initial, START_SECONDS),
    )
    expect(shardMap.countSince(KEY)).toBeDefined()
  })
})

describe('a report of heat for an item that repeats the initial count from before a migration', () => {
  const OLD = repeatedState(firstState(1, 0), START_SECONDS - 1_000)

  it('is added once the item repeats the present one', async () => {
    const { shardMap, store, near } = openMap()
    near.change({ initial: MIGRATED })
    store.state = OLD
    const state = await shardMap.report(KEY, MIGRATED, HEAT)
    expect(state).toMatchObject({
      shards: 4,
      initialAsOf: MIGRATED.lastUpdated,
      lastUpdated: START_SECONDS,
      fleet: { heat: HEAT },
    })
    expect(store.state).toEqual(state)
    expect([store.reports, store.reads]).toEqual([2, 0])
  })

  it('is added to the count that another process has written meanwhile', async () => {
    const { shardMap, store, near } = openMap()
    near.change({ initial: MIGRATED })
    store.state = OLD
    const other = firstState(4, START_SECONDS)
    store.beforeReplace = () => {
      store.state = other
    }
    expect(await shardMap.report(KEY, MIGRATED, HEAT)).toEqual({ ...other, fleet: store.state?.fleet })
    expect(store.state?.fleet?.heat).toBe(HEAT)
  })
})
