import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { drivenKeys, KEY, PHASE_MILLISECONDS } from '../../test/driven-keys.js'
import { serviceError } from '../../test/scripted-client.js'
import { WatchedClock } from '../../test/watched-clock.js'
import type { LogicalKey } from '../keys/key.js'
import type { AtRest, ShardMap, ShardState, Unfinished } from '../protocol/index.js'
import { announce } from '../protocol/states/calculated-count.js'
import { resize } from '../protocol/states/random-count.js'
import { firstState } from '../protocol/states/shard-state.js'
import { renew } from '../protocol/states/steps.js'
import { CountDrivers, type CountDriversOptions } from './count-drivers.js'

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

/** A process with drivers, and an abandoned drain of a random key that has lost its second shard. */
function abandoned(suffix: 'random' | 'calculated' = 'random') {
  const clock = new WatchedClock()
  const keys = drivenKeys({ suffix, clock })
  const { table, shardMap, states, failed, seconds } = keys
  const destroyed = new AbortController()
  const drivers = new CountDrivers({
    table,
    shardMap,
    random: new SeededRandom(1),
    unitsPerSecond: undefined,
    signal: destroyed.signal,
    onFailed: (error) => failed.push(error),
  })
  const now = seconds()
  const fallen = (age: number) => resize(firstState(2, now - 900), 1, now - age) as Unfinished
  const left = fallen(300)
  states.set(left)
  const driveNow = (signal = new AbortController().signal) =>
    drivers.driveNow(KEY, {
      unitsPerSecond: undefined,
      discards: false,
      signal,
      onProgress: () => {},
      isInBackground: false,
    })
  /** Grows the key as this process does, although its last change is not complete. */
  const grow = () => {
    const grown = resize(states.get() as AtRest, 3, seconds()) as Unfinished
    states.set(grown)
    drivers.begin(KEY, grown)
    return grown
  }
  return { ...keys, clock, drivers, destroyed, left, fallen, driveNow, grow }
}

/** A driver renews its change so long after it has written it. */
const RENEW_MILLISECONDS = 20_000

describe('a change that the application resumes', () => {
  it('is claimed, and completed in the background', async () => {
    const { clock, states, drivers, left, failed } = abandoned()
    await clock.run(async () => {
      const claimed = await drivers.resume(KEY)
      expect(claimed?.lastUpdated).toBeGreaterThan(left.lastUpdated)
      expect(states.get()).toEqual(claimed)
      await clock.sleep(PHASE_MILLISECONDS + 4_000)
      expect(states.get()?.phase).toBe('settled')
    })
    expect(failed).toEqual([])
  })

  it.each<[string, () => ShardState]>([
    ['has settled', () => firstState(2, 1)],
    ['has the initial count', () => ({ ...firstState(2, 1), initialAsOf: 1 })],
  ])('is none where the key %s', async (_what, state) => {
    const { clock, states, drivers, driveNow } = abandoned()
    states.set(state())
    await clock.run(async () => {
      expect(await drivers.resume(KEY)).toBeUndefined()
      expect(await driveNow()).toBe('settled')
      await clock.sleep(60_000)
    })
    expect(states.writes).toEqual([])
  })

  it('lets the process end while it waits', async () => {
    const { clock, drivers, states } = abandoned()
    await clock.run(async () => {
      await drivers.resume(KEY)
      await clock.sleep(PHASE_MILLISECONDS + 4_000)
    })
    expect(states.get()?.phase).toBe('settled')
    const mayEndProcess = true
    expect(clock.sleeps.slice(0, 3)).toEqual([
      { milliseconds: RENEW_MILLISECONDS, mayEndProcess },
      // That of this test.
      { milliseconds: PHASE_MILLISECONDS + 4_000 },
      { milliseconds: PHASE_MILLISECONDS - RENEW_MILLISECONDS, mayEndProcess },
    ])
  })

  it('discards no item, even if two shards have one with the same key', async () => {
    const { clock, drivers, states, put, places, seconds } = abandoned('calculated')
    states.set(announce(firstState(2, 1), 1, seconds() - 300))
    put(1, 5, { text: { S: 'one' } })
    put(2, 5, { text: { S: 'other' } })
    await clock.run(async () => {
      await drivers.resume(KEY)
      await clock.sleep(3 * PHASE_MILLISECONDS)
    })
    expect(states.get()?.phase).toBe('draining')
    expect(places()).toEqual(['1:5', '2:5'])
  })

  it('is left to other processes that are first five times', async () => {
    const { clock, states, drivers, driveNow, seconds } = abandoned()
    let tried = 0
    states.before = (request) => {
      const state = states.get()
      if (request !== 'replace' || state === undefined) return
      tried += 1
      states.set(renew(state, seconds()))
    }
    await clock.run(async () => {
      expect(await drivers.resume(KEY)).toBeUndefined()
      expect(tried).toBe(5)
      expect(await driveNow()).toBe('overtaken')
      expect(tried).toBe(10)
      await clock.sleep(60_000)
    })
    expect(states.writes).toEqual([])
  })

  it('has a driver although it is resumed twice, and the response to the first claim is late', async () => {
    const { clock, states, drivers } = abandoned()
    const latencies = [5_000, 100]
    states.afterReplace = () => clock.sleep(latencies.shift() ?? 0)
    await clock.run(async () => {
      const first = drivers.resume(KEY)
      await clock.sleep(1_000)
      await drivers.resume(KEY)
      await first
      await clock.sleep(PHASE_MILLISECONDS + 4_000)
      expect(states.get()?.phase).toBe('settled')
    })
  })
})

describe('the changes that one process drives', () => {
  const keyOf = (index: number) => ({ S: `k${index}` }) as LogicalKey

  it('are sixteen at a time: another process completes the rest, unless the application resumes one', async () => {
    const { clock, states, drivers, fallen } = abandoned()
    const left = () =>
      Array.from({ length: 18 }, (_, index) => index).filter(
        (index) => states.get(keyOf(index))?.phase !== 'settled',
      )
    await clock.run(async () => {
      for (let index = 0; index < 18; index++) {
        const state = fallen(0)
        states.set(state, keyOf(index))
        drivers.begin(keyOf(index), state)
      }
      await drivers.resume(keyOf(17))
      await clock.sleep(2 * PHASE_MILLISECONDS)
      expect(left()).toEqual([16])
      // Now there is room for another one.
      drivers.begin(keyOf(16), states.get(keyOf(16)) as Unfinished)
      await clock.sleep(2 * PHASE_MILLISECONDS)
      expect(left()).toEqual([])
    })
  })

  it('have one driver each, the last that was asked for', async () => {
    const { clock, driveNow } = abandoned()
    await clock.run(async () => {
      const [first, second] = [driveNow(), clock.sleep(5_000).then(() => driveNow())]
      expect(await first).toBe('overtaken')
      await clock.sleep(5_000)
      const before = clock.now()
      const third = driveNow()
      expect(await second).toBe('overtaken')
      expect(clock.now()).toBe(before)
      expect(await third).toBe('settled')
    })
  })

  it('keep the driver that somebody waits for, when the key grows meanwhile', async () => {
    const { clock, states, driveNow, grow } = abandoned()
    await clock.run(async () => {
      const drained = driveNow()
      await clock.sleep(5_000)
      grow()
      expect(await drained).toBe('settled')
      expect(states.get()).toMatchObject({ shards: 3, phase: 'settled' })
    })
  })

  it('that fail are reported, unless the client is destroyed', async () => {
    const { clock, drivers, service, states, fallen, put, failed, destroyed } = abandoned()
    const error = Object.assign(new Error('Not allowed.'), { name: 'Denied' })
    service.before = () => {
      throw error
    }
    put(2, 1)
    await clock.run(async () => {
      await drivers.resume(KEY)
      await clock.sleep(PHASE_MILLISECONDS + 4_000)
      expect(failed).toEqual([error])
      states.set(fallen(0), keyOf(1))
      drivers.begin(keyOf(1), fallen(0))
      await clock.sleep(1_000)
      destroyed.abort()
      await clock.sleep(60_000)
      expect(failed).toHaveLength(1)
    })
  })
})

describe('a change that a read of the shard map shows', () => {
  /** A watch takes 22 to 32 seconds. */
  const LONGEST_WATCH = 32_000
  const SHORTEST_WATCH = 22_000

  it.each([
    ['is not claimed while its driver may have renewed it', 29_999, false],
    ['is claimed thirty seconds after it was written, after a watch', 30_000, true],
  ])('%s', async (_what, age, isClaimed) => {
    const { clock, states, drivers, fallen } = abandoned()
    const state = fallen(0)
    states.set(state)
    clock.advance(age)
    await clock.run(async () => {
      drivers.noticed(KEY, state)
      await clock.sleep(SHORTEST_WATCH - 1)
      expect(states.writes).toEqual([])
      await clock.sleep(LONGEST_WATCH - SHORTEST_WATCH + 1)
      expect(states.writes).toHaveLength(isClaimed ? 1 : 0)
    })
  })

  it.each<[string, (keys: ReturnType<typeof abandoned>) => void]>([
    ['was renewed', ({ states, left }) => states.set(renew(left, left.lastUpdated + 1))],
    ['has settled', ({ states, left }) => states.set(firstState(1, left.lastUpdated + 1))],
    ['was removed from the shard map', ({ states }) => states.remove()],
  ])('is not claimed if it %s during the watch, which is no failure', async (_what, act) => {
    const keys = abandoned()
    const { clock, states, drivers, left, failed } = keys
    await clock.run(async () => {
      drivers.noticed(KEY, left)
      await clock.sleep(10_000)
      act(keys)
      await clock.sleep(60_000)
    })
    expect(states.reads).toBe(1)
    expect(states.writes).toEqual([])
    expect(failed).toEqual([])
  })

  it('is left to a process that writes it while it is claimed, which is no failure', async () => {
    const { clock, states, drivers, left, failed } = abandoned()
    states.before = (request) => request === 'replace' && states.set(renew(left, left.lastUpdated + 1))
    await clock.run(async () => {
      drivers.noticed(KEY, left)
      await clock.sleep(60_000)
    })
    expect(states.get()?.lastUpdated).toBe(left.lastUpdated + 1)
    expect(failed).toEqual([])
  })

  it('keeps its driver once it is claimed, when the key grows', async () => {
    const { clock, states, drivers, left, grow } = abandoned()
    await clock.run(async () => {
      drivers.noticed(KEY, left)
      await clock.sleep(LONGEST_WATCH + 5_000)
      expect(states.writes).toHaveLength(1)
      grow()
      await clock.sleep(RENEW_MILLISECONDS)
    })
    // The driver finds the new count when it renews its own claim.
    const [claimed, again] = states.writes.map(({ at }) => at)
    expect(again).toBe((claimed ?? 0) + RENEW_MILLISECONDS)
  })

  it.each<[string, (keys: ReturnType<typeof abandoned>) => void, string]>([
    ['was completed', () => {}, 'settled'],
    [
      'was given up for another reason',
      ({ put, service }) => {
        put(2, 5)
        service.before = () => {
          throw serviceError('AccessDeniedException')
        }
      },
      'failed',
    ],
  ])('is claimed as ever where one before it %s', async (_what, prepare, outcome) => {
    const keys = abandoned()
    const { clock, states, drivers, driveNow, fallen } = keys
    prepare(keys)
    await clock.run(async () => {
      expect(await driveNow().catch(() => 'failed')).toBe(outcome)
      const next = fallen(0)
      states.set(next)
      await clock.sleep(30_000)
      const written = states.writes.length
      drivers.noticed(KEY, next)
      await clock.sleep(LONGEST_WATCH)
      expect(states.writes).toHaveLength(written + 1)
    })
  })

  it('is nothing to claim for a key at rest', async () => {
    const { clock, states, drivers } = abandoned()
    const state = firstState(2, 1)
    states.set(state)
    await clock.run(async () => {
      drivers.noticed(KEY, state)
      await clock.sleep(60_000)
    })
    expect(states.reads).toBe(0)
  })

  it('is watched once, and not while it has a driver', async () => {
    const { clock, states, drivers, left } = abandoned()
    await clock.run(async () => {
      drivers.noticed(KEY, left)
      drivers.noticed(KEY, left)
      await clock.sleep(LONGEST_WATCH)
      expect(states.reads).toBe(1)
    })
  })

  it.each<[string, 'random' | 'calculated', (keys: ReturnType<typeof abandoned>) => void]>([
    [
      'an item in two shards',
      'calculated',
      ({ put }) => {
        put(1, 5, { text: { S: 'one' } })
        put(2, 5, { text: { S: 'other' } })
      },
    ],
    [
      'an item without room for its move',
      'random',
      ({ put, service }) => {
        put(2, 5)
        service.before = (operation) => {
          if (operation === 'UpdateItem') throw serviceError('ValidationException')
        }
      },
    ],
  ])(
    'is left alone for an hour after %s, which only an operator can resolve',
    async (_what, suffix, store) => {
      const keys = abandoned(suffix)
      const { clock, states, drivers, seconds, driveNow } = keys
      if (suffix === 'calculated') states.set(announce(firstState(2, 1), 1, seconds() - 300))
      store(keys)
      await clock.run(async () => {
        await driveNow().catch(() => {})
        const state = states.get() as Unfinished
        const written = states.writes.length
        await clock.sleep(3_599_999)
        drivers.noticed(KEY, state)
        await clock.sleep(1)
        drivers.noticed(KEY, state)
        await clock.sleep(LONGEST_WATCH)
        expect(states.writes).toHaveLength(written + 1)
      })
    },
  )
})
