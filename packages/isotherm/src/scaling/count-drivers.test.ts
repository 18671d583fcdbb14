import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import type { LogicalKey } from '../keys/key.js'
import type { AtRest, ShardMap, ShardState, Unfinished } from '../protocol/index.js'
import { resize } from '../protocol/states/random-count.js'
import { firstState } from '../protocol/states/shard-state.js'
import { CountDrivers, type CountDriversOptions } from './count-drivers.js'

const KEY = { S: 'k' } as LogicalKey
const LATENCY = 40

/** A process that has noticed that another process abandoned a change of a random key, from eight shards to four. */
function setUp() {
  const clock = new VirtualClock()
  const seconds = () => Math.floor(clock.now() / 1_000)
  const map = {
    current: resize(resize(firstState(1, 0), 8, seconds() - 600), 4, seconds() - 300) as ShardState,
    reads: 0,
    writes: 0,
  }
  const shardMap: Pick<ShardMap, 'reread' | 'replace' | 'peek'> = {
    peek: () => map.current,
    reread: async () => {
      map.reads += 1
      await clock.sleep(LATENCY)
      return map.current
    },
    replace: async (_key, seen, next) => {
      map.writes += 1
      await clock.sleep(LATENCY)
      if (seen.lastUpdated !== map.current.lastUpdated) return undefined
      map.current = next
      return next
    },
  }
  const destroyed = new AbortController()
  const failed: unknown[] = []
  const options = {
    name: 'log',
    cacheMilliseconds: 30_000,
    lateRequestMilliseconds: 5_000,
    keysOfOneRegion: false,
  }
  const drivers = new CountDrivers({
    table: { clock, random: new SeededRandom(1), placementKind: 'random', options },
    shardMap,
    random: new SeededRandom(1),
    unitsPerSecond: undefined,
    signal: destroyed.signal,
    onFailed: (error: unknown) => failed.push(error),
  } as unknown as CountDriversOptions)
  const grow = (): Unfinished => {
    map.current = resize(map.current as AtRest, 6, seconds())
    drivers.begin(KEY, map.current as Unfinished)
    return map.current as Unfinished
  }
  return { clock, map, drivers, grow, destroyed, failed }
}

it.each([
  ['sleeps', () => false],
  ['reads the shard map', ({ reads }: { readonly reads: number }) => reads > 0],
  ['claims the change', ({ writes }: { readonly writes: number }) => writes > 0],
])('a change that is begun while a watch of an earlier one %s has a driver', async (when, isThen) => {
  const { clock, map, drivers, grow, destroyed, failed } = setUp()
  await clock.run(async () => {
    drivers.noticed(KEY, map.current)
    if (when === 'sleeps') await clock.sleep(10_000)
    else while (!isThen(map)) await clock.sleep(10)
    const begun = grow()
    // A driver renews its change twenty seconds after it has begun to wait.
    await clock.sleep(25_000)
    expect(map.current).toMatchObject({ shards: 6, phase: 'retired' })
    expect(map.current.lastUpdated).toBeGreaterThan(begun.lastUpdated)
    destroyed.abort()
  })
  expect(failed).toEqual([])
})
