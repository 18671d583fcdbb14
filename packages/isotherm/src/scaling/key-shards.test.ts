import { describe, expect, it } from 'vitest'
import { drivenKeys, KEY } from '../../test/driven-keys.js'
import { WatchedClock } from '../../test/watched-clock.js'
import { announce, drain, move } from '../protocol/states/calculated-count.js'
import { resize } from '../protocol/states/random-count.js'
import { type AtRest, firstState, type ShardState } from '../protocol/states/shard-state.js'
import { renew } from '../protocol/states/steps.js'
import type { MoveCostReader } from './coming-down/move-costs.js'
import { CountChanger } from './count-changer.js'
import { CountDrivers } from './count-drivers.js'
import { KeyShards } from './key-shards.js'

const invalid = (option: string, value: unknown) =>
  expect.objectContaining({ code: 'options.invalid', details: { option, value } })

interface Shape {
  readonly suffix?: 'random' | 'calculated'
  readonly unitsPerSecond?: number
}

/** `db.shards('log', 'k')` of a process. */
function setUp({ suffix = 'random', unitsPerSecond }: Shape = {}) {
  const clock = new WatchedClock()
  const keys = drivenKeys({ suffix, clock })
  const { table, shardMap, states, failed, seconds } = keys
  const destroyed = new AbortController()
  const { signal } = destroyed
  const drivers = new CountDrivers({
    table,
    shardMap,
    random: table.random,
    unitsPerSecond,
    signal,
    onFailed: (error) => failed.push(error),
  })
  const costs = { read: async () => ({ unitsPerKilobyte: 3, timeToLive: undefined }) }
  const changer = new CountChanger(table, shardMap, drivers)
  const options = { table, key: KEY, shardMap, changer, drivers, unitsPerSecond, signal }
  const shards = new KeyShards({ ...options, costs: costs as MoveCostReader })
  /** Writes the state of the key as another process does. */
  const has = <State extends ShardState>(state: State): State => {
    states.set(state)
    return state
  }
  const earlier = seconds() - 600
  return { ...keys, clock, shards, destroyed, has, earlier }
}

describe('the state that is shown', () => {
  it('is none for a key that is not in the shard map', async () => {
    const { shards } = setUp()
    expect(await shards.read()).toBeUndefined()
    expect(await shards.resume()).toBeUndefined()
    expect(await shards.price(1)).toBeUndefined()
  })

  it('is of one count where nothing is left to do', async () => {
    const { shards, has, earlier } = setUp()
    has(firstState(4, earlier))
    expect(await shards.read()).toEqual({
      shards: 4,
      readableShards: 4,
      phase: 'settled',
      from: 4,
      to: 4,
      lastUpdated: earlier,
    })
  })

  it('has the shards that may hold items beside those that are written', async () => {
    const { shards, has, earlier } = setUp()
    has(resize(firstState(4, earlier), 2, earlier + 60))
    expect(await shards.read()).toEqual({
      shards: 2,
      readableShards: 4,
      phase: 'retired',
      from: 4,
      to: 2,
      lastUpdated: earlier + 60,
    })
  })

  it('has both counts of a change', async () => {
    const { shards, has, earlier } = setUp({ suffix: 'calculated' })
    const announced = has(announce(firstState(4, earlier), 2, earlier + 60))
    const change = { from: 4, to: 2, readableShards: 4 }
    expect(await shards.read()).toMatchObject({ ...change, phase: 'announced', shards: 4 })
    const moved = has(move(announced, earlier + 90))
    expect(await shards.read()).toMatchObject({ ...change, phase: 'moved', shards: 2 })
    has(drain(moved, earlier + 120))
    expect(await shards.read()).toMatchObject({ ...change, phase: 'draining', shards: 2 })
  })
})

describe('a count that is set', () => {
  it('is written, unless it is the present one', async () => {
    const { shards, states, has, earlier, seconds } = setUp()
    has(firstState(4, earlier))
    expect(await shards.set(4)).toMatchObject({ shards: 4, lastUpdated: earlier })
    expect(states.writes).toEqual([])
    expect(await shards.set(6)).toMatchObject({ shards: 6, phase: 'settled', lastUpdated: seconds() })
    expect(states.get()).toMatchObject({ shards: 6 })
  })

  it('is an event with its reason', async () => {
    const { shards, has, earlier, events } = setUp()
    has(firstState(4, earlier))
    await shards.set(6)
    expect(events).toEqual([expect.objectContaining({ type: 'scaled', from: 4, to: 6, reason: 'set' })])
  })

  it.each([0, 1_001, 1.5])('is not %d', async (count) => {
    await expect(setUp().shards.set(count)).rejects.toEqual(invalid('shards.set(count)', count))
  })

  it('may be a thousand', async () => {
    const { shards, has, earlier } = setUp()
    has(firstState(4, earlier))
    expect(await shards.set(1_000)).toMatchObject({ shards: 1_000 })
  })

  it('is refused while the key changes, which names both counts', async () => {
    const { shards, has, earlier } = setUp({ suffix: 'calculated' })
    has(announce(firstState(4, earlier), 2, earlier + 60))
    await expect(shards.set(9)).rejects.toMatchObject({
      code: 'shards.changing',
      details: { table: 'log', logicalKey: 'k' },
      message: expect.stringContaining('from 4 to 2'),
    })
  })

  it('is tried again where other processes are first, five times', async () => {
    const { shards, states, has, earlier } = setUp()
    has(firstState(4, earlier))
    let others = 4
    let tried = 0
    states.before = (request) => {
      if (request !== 'replace') return
      tried += 1
      if (others-- > 0) states.set(renew(states.get() ?? firstState(4, 0), earlier))
    }
    expect(await shards.set(6)).toMatchObject({ shards: 6 })
    expect(tried).toBe(5)
    others = Number.POSITIVE_INFINITY
    await expect(shards.set(8)).rejects.toMatchObject({ code: 'shards.changing' })
    expect(tried).toBe(10)
    expect(states.get()).toMatchObject({ shards: 6 })
  })
})

describe('the price of fewer shards', () => {
  function priced() {
    const keys = setUp()
    keys.has(firstState(4, keys.earlier))
    for (let sk = 0; sk < 5; sk++) keys.put(3, sk)
    return keys
  }

  it('is that of the items of the shards that would go', async () => {
    const { shards, clock, states } = priced()
    await clock.run(async () => {
      expect(await shards.price(2)).toMatchObject({ from: 4, to: 2, items: 5, writeUnits: 15, seconds: 1 })
      expect(await shards.price(3, { unitsPerSecond: 10 })).toMatchObject({ items: 0 })
      expect(await shards.price(2, { unitsPerSecond: 10 })).toMatchObject({ items: 5, seconds: 2 })
    })
    expect(states.writes).toEqual([])
  })

  it('is that of the drain that is left, with the present count', async () => {
    const { shards, clock, has, earlier } = priced()
    has(resize(firstState(4, earlier), 2, earlier + 60))
    await clock.run(async () => {
      expect(await shards.price(2)).toMatchObject({ from: 4, to: 2, items: 5 })
    })
  })

  it.each<[number, object, string, unknown]>([
    [0, {}, 'shards.price(count)', 0],
    [5, {}, 'shards.price(count)', 5],
    [2, { unitsPerSecond: 9 }, 'shards.price.unitsPerSecond', 9],
  ])('is not of %d shards with %j', async (count, options, option, value) => {
    const { shards, clock } = priced()
    await expect(clock.run(() => shards.price(count, options))).rejects.toEqual(invalid(option, value))
  })

  it('is none while the key changes', async () => {
    const { shards, clock, has, earlier } = setUp({ suffix: 'calculated' })
    has(announce(firstState(4, earlier), 2, earlier + 60))
    await expect(clock.run(() => shards.price(1))).rejects.toMatchObject({ code: 'shards.changing' })
  })

  it.each(['its own signal', 'the end of the client'])('is no more found out after %s', async (what) => {
    const { shards, clock, service, destroyed } = priced()
    const own = new AbortController()
    const stopping = what === 'its own signal' ? own : destroyed
    service.before = () => clock.sleep(1_000)
    await clock.run(async () => {
      const price = shards.price(2, { signal: own.signal })
      price.catch(() => {})
      await clock.sleep(500)
      stopping.abort(new Error('stopped'))
      await expect(price).rejects.toThrow('stopped')
    })
  })

  it('has no other options', async () => {
    await expect(priced().shards.price(2, { twoCopies: 'keep' } as never)).rejects.toMatchObject({
      code: 'options.unknown',
      details: { option: 'shards.price.twoCopies', known: ['unitsPerSecond', 'signal'] },
    })
  })
})

describe('a drain that is waited for', () => {
  const fallen = (keys: ReturnType<typeof setUp>) =>
    keys.has(resize(firstState(2, keys.earlier), 1, keys.earlier + 60))

  /** An item that is in both shards of a calculated key, which loses the second one. */
  function withTwoCopies() {
    const keys = setUp({ suffix: 'calculated' })
    keys.has(announce(firstState(2, keys.earlier), 1, keys.earlier + 60))
    keys.put(1, 5, { text: { S: 'one' } })
    keys.put(2, 5, { text: { S: 'other' } })
    return keys
  }

  it('takes over the change, and completes it', async () => {
    const keys = setUp()
    fallen(keys)
    keys.put(2, 1)
    const moved: number[] = []
    await keys.clock.run(async () => {
      expect(await keys.shards.drain({ onProgress: (progress) => moved.push(progress.moved) })).toBe(
        'settled',
      )
    })
    expect(moved).toEqual([1])
    expect(keys.places()).toEqual(['1:1'])
    expect(await keys.shards.read()).toMatchObject({ phase: 'settled', readableShards: 1 })
  })

  it('keeps the process from ending', async () => {
    const keys = setUp()
    fallen(keys)
    await keys.clock.run(() => keys.shards.drain())
    // A drain waits for 35 seconds before it moves items, and writes the shard map meanwhile.
    expect(keys.clock.sleeps.slice(0, 2)).toEqual([{ milliseconds: 20_000 }, { milliseconds: 15_000 }])
  })

  it.each([{}, { twoCopies: 'keep' }] as const)('keeps both copies of an item with %j', async (options) => {
    const { shards, clock, places } = withTwoCopies()
    await clock.run(async () => expect(await shards.drain(options)).toBe('two-copies'))
    expect(places()).toEqual(['1:5', '2:5'])
  })

  it('discards the copy in the old shard if that is asked for', async () => {
    const { shards, clock, places } = withTwoCopies()
    await clock.run(async () => expect(await shards.drain({ twoCopies: 'discard' })).toBe('settled'))
    expect(places()).toEqual(['1:5'])
  })

  it.each<[string, unknown]>([
    ['twoCopies', 'both'],
    ['twoCopies', true],
    ['unitsPerSecond', 9],
    ['unitsPerSecond', 10_001],
  ])('refuses a value of %s that is none: %j', async (name, value) => {
    const keys = setUp()
    const state = fallen(keys)
    // Virtual time passes, so that a drain that is not refused ends.
    await expect(keys.clock.run(() => keys.shards.drain({ [name]: value }))).rejects.toEqual(
      invalid(`shards.drain.${name}`, value),
    )
    expect(keys.states.get()).toBe(state)
  })

  it('refuses options that it does not have', async () => {
    await expect(setUp().shards.drain({ units: 5 } as never)).rejects.toMatchObject({
      code: 'options.unknown',
      details: {
        option: 'shards.drain.units',
        known: ['unitsPerSecond', 'twoCopies', 'signal', 'onProgress'],
      },
    })
  })

  it('moves items at the rate of the table, or at its own', async () => {
    const secondsAt = async (unitsPerSecond?: number) => {
      const keys = setUp({ unitsPerSecond: 10 })
      fallen(keys)
      for (let sk = 0; sk < 20; sk++) keys.put(2, sk)
      const begins = keys.clock.now()
      await keys.clock.run(() => keys.shards.drain({ unitsPerSecond }))
      return (keys.clock.now() - begins) / 1_000
    }
    const [byTable, own] = [await secondsAt(), await secondsAt(1_000)]
    expect(own).toBeLessThan(39)
    expect(byTable).toBeGreaterThan(own + 8)
  })

  it.each(['its own signal', 'the end of the client'])('ends with %s', async (what) => {
    const keys = setUp()
    fallen(keys)
    const own = new AbortController()
    const isOwn = what === 'its own signal'
    await keys.clock.run(async () => {
      const drained = keys.shards.drain(isOwn ? { signal: own.signal } : {})
      drained.catch(() => {})
      await keys.clock.sleep(1_000)
      const stopping = isOwn ? own : keys.destroyed
      stopping.abort(new Error('stopped'))
      await expect(drained).rejects.toThrow('stopped')
    })
  })
})

describe('a change that is resumed', () => {
  it('is claimed at once, and completed in the background', async () => {
    const { shards, clock, states, has, earlier, seconds, failed } = setUp()
    const left = has(resize(firstState(2, earlier), 1, seconds() - 1))
    await clock.run(async () => {
      expect(await shards.resume()).toMatchObject({ phase: 'retired', lastUpdated: left.lastUpdated + 1 })
      await clock.sleep(40_000)
      expect(states.get()).toMatchObject({ phase: 'settled', shards: 1 })
    })
    expect(failed).toEqual([])
  })

  it('is shown as it resumes, although another process has claimed it since', async () => {
    const { shards, clock, states, has, earlier } = setUp()
    const left = has(resize(firstState(2, earlier), 1, earlier + 60))
    states.afterReplace = () => {
      states.afterReplace = () => {}
      states.set(renew(left, left.lastUpdated + 3_600))
    }
    await clock.run(async () => {
      const { lastUpdated } = (await shards.resume()) ?? {}
      expect(lastUpdated).toBe(states.writes[0]?.state.lastUpdated)
      expect(states.get()?.lastUpdated).not.toBe(lastUpdated)
    })
  })

  it('is the present state where nothing is left to do', async () => {
    const { shards, states, has, earlier } = setUp()
    has(firstState(3, earlier) as AtRest)
    expect(await shards.resume()).toMatchObject({ shards: 3, phase: 'settled', lastUpdated: earlier })
    expect(states.writes).toEqual([])
  })
})
