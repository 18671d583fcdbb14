import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it, vi } from 'vitest'
import { MemoryCache } from '../../../test/shared-map.js'
import type { LogicalKey } from '../../keys/key.js'
import { firstState } from '../states/shard-state.js'
import { parseSecondLevelCache } from './second-level-cache-options.js'
import type { ShardMapCache } from './shard-map-cache.js'
import { SharedStates } from './shared-states.js'

const key = { S: 'k' } as LogicalKey
const table = { shardMap: 'log_shard_map', cacheMilliseconds: 30_000 }
const state = firstState(3, 1_800_000_000)

function setUp(cache: ShardMapCache = new MemoryCache()) {
  const clock = new VirtualClock(1_800_000_000_000)
  const onFailed = vi.fn()
  const secondLevel = parseSecondLevelCache('secondLevelCache', { cache })
  const open = (own = clock, made?: string) =>
    new SharedStates({ table, secondLevel, clock: own, made: () => made, onFailed })
  return { clock, onFailed, open }
}

describe('a shared count', () => {
  it('is found by other processes, older by as much as clocks may differ', async () => {
    const { clock, open } = setUp()
    const askedAt = clock.now()
    open().share(key, { state, askedAt })
    clock.advance(5_000)
    expect(await open().find(key)).toEqual({ state, askedAt: askedAt - 1_000 })
  })

  it('is found in the first half of its life only', async () => {
    const { clock, open } = setUp()
    open().share(key, { state, askedAt: clock.now() })
    clock.advance(13_999)
    expect(await open().find(key)).toBeDefined()
    clock.advance(1)
    expect(await open().find(key)).toBeUndefined()
  })

  it('is not used when it was dated by a clock further ahead than clocks may be', async () => {
    const { clock, open } = setUp()
    open().share(key, { state, askedAt: clock.now() })
    const foundBehind = (milliseconds: number) => open(new VirtualClock(clock.now() - milliseconds)).find(key)
    expect(await foundBehind(1_000)).toBeDefined()
    expect(await foundBehind(1_001)).toBeUndefined()
  })

  it('is that of its own key and shard map, and kept as long as it may be used', async () => {
    const cache = new MemoryCache()
    const { clock, open } = setUp(cache)
    open().share(key, { state, askedAt: clock.now() })
    expect([...cache.texts.keys()]).toEqual(['log_shard_map/k'])
    expect(cache.ttls).toEqual([15_000])
    expect(await open().find({ S: 'other' } as LogicalKey)).toBeUndefined()
  })

  it('is not that of a shard map with another card, which another region has, or had before it was rebuilt', async () => {
    const { clock, open } = setUp()
    open(clock, '1:a').share(key, { state, askedAt: clock.now() })
    expect(await open(clock, '1:a').find(key)).toBeDefined()
    expect(await open(clock, '2:b').find(key)).toBeUndefined()
    expect(await open(clock).find(key)).toBeUndefined()
    open(clock).share(key, { state, askedAt: clock.now() })
    expect(await open(clock, '1:a').find(key)).toBeUndefined()
  })
})

describe('a second-level cache', () => {
  const broken: ShardMapCache = {
    get: () => Promise.reject(new Error('no connection')),
    set: () => Promise.reject(new Error('no connection')),
  }

  it('counts as empty when it fails, and is told of once a second', async () => {
    const { clock, onFailed, open } = setUp(broken)
    const states = open()
    states.share(key, { state, askedAt: clock.now() })
    for (let read = 0; read < 10; read++) expect(await states.find(key)).toBeUndefined()
    expect(onFailed).toHaveBeenCalledOnce()
    expect(onFailed.mock.lastCall?.[0]).toMatchObject({ message: 'no connection' })
    clock.advance(1_000)
    await states.find(key)
    expect(onFailed).toHaveBeenCalledTimes(2)
  })

  it('is waited for no longer than its timeout, and then left alone for a second', async () => {
    const { clock, onFailed, open } = setUp({ ...broken, get: () => new Promise(() => {}) })
    await clock.run(async () => {
      const from = clock.now()
      const states = open()
      expect(await states.find(key)).toBeUndefined()
      expect(clock.now() - from).toBe(50)
      await states.find(key)
      expect(clock.now() - from).toBe(50)
    })
    expect(onFailed.mock.lastCall?.[0]).toMatchObject({ message: expect.stringContaining('within 50 ms') })
  })

  it.each([
    ['the text of another version', '[2,1800000000000,{}]', 0],
    ['JSON of something else', '{"shards":3}', 0],
    ['a date in words', '[1,"today",{}]', 0],
    ['no JSON', 'three', 1],
    ['a count that is none', '[1,1800000000000,{"number_of_shards":{"N":"x"}}]', 1],
  ])('counts as empty where it holds %s', async (_what, text, failures) => {
    const cache = new MemoryCache()
    cache.texts.set('log_shard_map/k', text)
    const { onFailed, open } = setUp(cache)
    expect(await open().find(key)).toBeUndefined()
    expect(onFailed).toHaveBeenCalledTimes(failures)
  })

  it('counts as empty, and is told of, where it answers something else than a text', async () => {
    const { clock, onFailed, open } = setUp({ get: () => null as never, set: () => new Map() as never })
    const states = open()
    expect(await states.find(key)).toBeUndefined()
    expect(onFailed.mock.lastCall?.[0]).toMatchObject({
      message: 'The second-level cache answered null; it must be a text, or undefined.',
    })
    clock.advance(1_000)
    states.share(key, { state, askedAt: clock.now() })
    await new Promise(setImmediate)
    expect(onFailed).toHaveBeenCalledOnce()
  })

  it('leaves no timer behind once it has answered', async () => {
    const { clock, open } = setUp()
    const signals: (AbortSignal | undefined)[] = []
    const sleep = clock.sleep.bind(clock)
    clock.sleep = (milliseconds, signal) => {
      signals.push(signal)
      return sleep(milliseconds, signal)
    }
    await open().find(key)
    expect(signals.map((signal) => signal?.aborted)).toEqual([true])
  })

  it.each([
    ['options.invalid', { cache: { get: () => {} } }, 'secondLevelCache.cache'],
    ['options.invalid', { cache: 'redis://:secret@cache' }, 'secondLevelCache.cache is "string"; it must be'],
    ['options.invalid', { cache: new MemoryCache(), timeout: 'soon' }, 'secondLevelCache.timeout'],
    ['options.invalid', { cache: new MemoryCache(), clockSkew: 'some' }, 'secondLevelCache.clockSkew'],
    ['options.unknown', { cache: new MemoryCache(), ttl: 3 }, 'secondLevelCache.ttl'],
    [
      'options.invalid',
      { cache: { get: () => {}, set: () => {}, sendCommand: () => {} } },
      'secondLevelCache.cache is "a client of Redis"; it must be redisShardMapCache(client).',
    ],
  ])('is refused with %s for %j, by the name of the option', (code, options, name) => {
    expect(() => parseSecondLevelCache('options.secondLevelCache', options as never)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(`options.${name}`) }),
    )
  })

  it('has the times that its options say', () => {
    const options = { cache: new MemoryCache(), timeout: '20ms', clockSkew: '3s' } as const
    expect(parseSecondLevelCache('options.secondLevelCache', options)).toMatchObject({
      timeoutMilliseconds: 20,
      clockSkewMilliseconds: 3_000,
    })
  })
})
