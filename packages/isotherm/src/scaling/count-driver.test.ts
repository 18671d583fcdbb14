import { describe, expect, it } from 'vitest'
import { drivenKeys, KEY, PHASE_MILLISECONDS } from '../../test/driven-keys.js'
import { jump } from '../protocol/placement/jump.js'
import { placeHash } from '../protocol/placement/place-hash.js'
import { announce } from '../protocol/states/calculated-count.js'
import { resize } from '../protocol/states/random-count.js'
import { type AtRest, firstState, type ShardState, type Unfinished } from '../protocol/states/shard-state.js'
import { renew } from '../protocol/states/steps.js'
import { CountDriver, type DriveOptions } from './count-driver.js'
import type { PassProgress } from './drain-pass.js'

type Keys = ReturnType<typeof drivenKeys>

/** The sort keys whose items leave the first shard when a calculated key gets a second one, and those whose items stay. */
const SORT_KEYS = Array.from({ length: 300 }, (_, sk) => sk)
const LEAVING = SORT_KEYS.filter((sk) => jump(placeHash([{ N: String(sk) }]), 2) === 1)
const STAYING = SORT_KEYS.filter((sk) => !LEAVING.includes(sk))

/** A calculated key that is to get a second shard, or a random key that has lost its second one. */
function begun(suffix: 'calculated' | 'random', shape: Parameters<typeof drivenKeys>[0] = {}) {
  const keys = drivenKeys({ suffix, ...shape })
  const now = keys.seconds()
  const state =
    suffix === 'calculated'
      ? announce(firstState(1, now - 600), 2, now)
      : (resize(firstState(2, now - 600), 1, now) as Unfinished)
  keys.states.set(state)
  const begins = keys.clock.now()
  return { ...keys, state, elapsed: () => keys.clock.now() - begins }
}

function drive(
  { table, shardMap, clock }: Keys,
  state: Unfinished,
  options: Partial<DriveOptions> = {},
  work: () => Promise<void> = async () => {},
) {
  const driveOptions: DriveOptions = {
    unitsPerSecond: undefined,
    discards: false,
    signal: new AbortController().signal,
    onProgress: () => {},
    isInBackground: false,
    ...options,
  }
  return clock.run(async () => {
    const driven = CountDriver.drive(table, shardMap, KEY, driveOptions, state)
    driven.catch(() => {})
    await work()
    return driven
  })
}

describe('a change of a calculated key', () => {
  it('waits for a phase, for another one, and until all replicas have the items, and renews its state meanwhile', async () => {
    const keys = begun('calculated')
    expect(await drive(keys, keys.state)).toBe('settled')
    const begins = keys.clock.now() - keys.elapsed()
    expect(keys.states.writes.map(({ at, state }) => [(at - begins) / 1_000, state.phase])).toEqual([
      [20, 'announced'],
      [35, 'moved'],
      [55, 'moved'],
      [70, 'draining'],
      [73, 'settled'],
    ])
    expect(keys.states.get()).toMatchObject({ phase: 'settled', shards: 2 })
  })

  it('tells when the new shards are used, when the old places are empty, and when nothing is left to do', async () => {
    const keys = begun('calculated')
    for (const sk of [...LEAVING.slice(0, 3), ...STAYING.slice(0, 2)]) keys.put(1, sk)
    await drive(keys, keys.state)
    const about = { table: 'log', logicalKey: 'k', at: expect.any(Number) }
    expect(keys.events).toEqual([
      { type: 'scaled', ...about, from: 1, to: 2, reason: 'announced' },
      { type: 'drained', ...about, scanned: 7, moved: 3, twoCopies: 0, shard: 1, shards: 1 },
      { type: 'settled', ...about, shards: 2 },
    ])
    expect(keys.places().sort()).toEqual(
      [...LEAVING.slice(0, 3).map((sk) => `2:${sk}`), ...STAYING.slice(0, 2).map((sk) => `1:${sk}`)].sort(),
    )
  })

  it('moves items that arrive late at an old place, too, and counts those of both passes', async () => {
    const keys = begun('calculated')
    const [early = 0, late = 0] = LEAVING
    keys.put(1, early)
    const [staying = 0] = STAYING
    keys.put(1, staying)
    const told: PassProgress[] = []
    await drive(keys, keys.state, { onProgress: (progress) => told.push(progress) }, async () => {
      await keys.clock.sleep(PHASE_MILLISECONDS + 20_000)
      expect(keys.places()).toContain(`2:${early}`)
      keys.put(1, late)
    })
    expect(keys.places()).toContain(`2:${late}`)
    // The item that stays is read by both passes.
    expect(told.map(({ scanned, moved }) => [scanned, moved])).toEqual([
      [2, 1],
      [4, 2],
    ])
    expect(keys.events).toContainEqual(expect.objectContaining({ type: 'drained', scanned: 4, moved: 2 }))
  })

  it('goes on to its last phase in time, although its items are not moved yet', async () => {
    const keys = begun('calculated')
    for (const sk of LEAVING.slice(0, 90)) keys.put(1, sk)
    // An item takes half a second.
    await drive(keys, keys.state, { unitsPerSecond: 10 })
    const draining = keys.states.writes.find(({ state }) => state.phase === 'draining')
    const begins = keys.clock.now() - keys.elapsed()
    expect((draining?.at ?? 0) - begins).toBeLessThan(2 * PHASE_MILLISECONDS + 2_000)
    expect(keys.elapsed()).toBeGreaterThan(2 * PHASE_MILLISECONDS + 10_000)
    expect(keys.places().filter((place) => place.startsWith('1:'))).toEqual([])
  })

  it.each([
    ['announced', 5_000],
    ['moved', PHASE_MILLISECONDS + 5_000],
    ['draining', 2 * PHASE_MILLISECONDS + 1_000],
  ])('stops at once when it is stopped while the key is %s', async (phase, after) => {
    const keys = begun('calculated')
    const stop = new AbortController()
    const driven = drive(keys, keys.state, { signal: stop.signal }, async () => {
      await keys.clock.sleep(after)
      expect(keys.states.get()?.phase).toBe(phase)
      stop.abort(new Error('stopped'))
    })
    await expect(driven).rejects.toThrow('stopped')
    expect(keys.elapsed()).toBe(after)
    expect(keys.states.get()?.phase).toBe(phase)
  })

  it('fails at once when an item cannot be moved, instead of after its wait', async () => {
    const keys = begun('calculated')
    keys.put(1, LEAVING[0] ?? 0)
    keys.service.before = (operation) => {
      if (operation === 'TransactWriteItems')
        throw Object.assign(new Error('Not allowed.'), { name: 'Denied' })
    }
    await expect(drive(keys, keys.state)).rejects.toMatchObject({ name: 'Denied' })
    expect(keys.elapsed()).toBeLessThan(PHASE_MILLISECONDS + 1_000)
    expect(keys.states.get()?.phase).toBe('moved')
  })
})

describe('a drain of a random key', () => {
  it('waits until no request knows the old count, and moves the items of the shards that are gone', async () => {
    const keys = begun('random')
    for (let sk = 0; sk < 5; sk++) keys.put(2, sk)
    expect(
      await drive(keys, keys.state, {}, async () => {
        await keys.clock.sleep(PHASE_MILLISECONDS - 1)
        expect(keys.places().filter((place) => place.startsWith('1:'))).toEqual([])
      }),
    ).toBe('settled')
    expect(keys.places()).toEqual(['1:0', '1:1', '1:2', '1:3', '1:4'])
    expect(keys.events.map(({ type }) => type)).toEqual(['drained', 'settled'])
    expect(keys.states.get()).toMatchObject({ phase: 'settled', shards: 1 })
  })

  it('leaves an item alone that was appended after the key has grown again, although its own view is still of the old count', async () => {
    const keys = begun('random')
    keys.service.before = (operation) => {
      if (operation !== 'Query' || keys.states.get()?.shards !== 1) return
      keys.states.set(resize(keys.states.get() as AtRest, 2, keys.seconds()))
      keys.put(2, 7)
    }
    expect(await drive(keys, keys.state)).toBe('settled')
    expect(keys.places()).toEqual(['2:7'])
    expect(keys.states.get()).toMatchObject({ phase: 'settled', shards: 2 })
  })
})

describe('items that exist in two shards', () => {
  const [SORT_KEY = 0] = LEAVING

  function twice() {
    const keys = begun('calculated')
    keys.put(1, SORT_KEY, { text: { S: 'one' } })
    keys.put(2, SORT_KEY, { text: { S: 'other' } })
    return keys
  }

  it('keep their change from settling', async () => {
    const keys = twice()
    expect(await drive(keys, keys.state)).toBe('two-copies')
    expect(keys.states.get()?.phase).toBe('draining')
    expect(keys.places()).toEqual([`1:${SORT_KEY}`, `2:${SORT_KEY}`])
    expect(keys.events.map(({ type }) => type)).not.toContain('settled')
  })

  it('lose the copy in the old shard if it may be discarded', async () => {
    const keys = twice()
    expect(await drive(keys, keys.state, { discards: true })).toBe('settled')
    expect(keys.service.tables.items('log')).toMatchObject([{ pk: { S: 'k_2' }, text: { S: 'other' } }])
  })
})

describe('a driver whose change another process has written', () => {
  /** Another process writes a state, while the driver waits. */
  async function overtakenBy(next: (state: ShardState, seconds: number) => ShardState) {
    const keys = begun('random')
    const outcome = await drive(keys, keys.state, {}, async () => {
      await keys.clock.sleep(10_000)
      const state = keys.states.get()
      if (state !== undefined) keys.states.set(next(state, keys.seconds()))
    })
    return { keys, outcome }
  }

  it('leaves it to a process that has claimed it', async () => {
    const { keys, outcome } = await overtakenBy(renew)
    expect(outcome).toBe('overtaken')
    expect(keys.elapsed()).toBe(20_000)
    expect(keys.states.writes).toEqual([])
  })

  it('completes it with another count, after another wait', async () => {
    const { keys, outcome } = await overtakenBy((state, seconds) => resize(state as AtRest, 2, seconds))
    expect(outcome).toBe('settled')
    expect(keys.elapsed()).toBe(20_000 + PHASE_MILLISECONDS + 3_000)
    expect(keys.states.get()).toMatchObject({ phase: 'settled', shards: 2 })
  })

  it('has nothing left to do when it has settled', async () => {
    const { keys, outcome } = await overtakenBy((_state, seconds) => firstState(1, seconds))
    expect(outcome).toBe('settled')
    expect(keys.states.writes).toEqual([])
  })
})

describe('the progress of a drain', () => {
  it('is told every five seconds, and its caller learns of each page', async () => {
    const keys = drivenKeys()
    const now = keys.seconds()
    // The key has grown again, so the items of its second shard stay.
    const fallen = resize(firstState(2, now - 600), 1, now - 300)
    const state = resize(fallen, 2, now) as Unfinished
    keys.states.set(state)
    for (let sk = 0; sk < 5; sk++) keys.put(2, sk)
    // One item a page.
    Object.assign(keys.service.tables, { pageBytes: 1, reportsCapacity: false })
    keys.service.before = (operation) => (operation === 'Query' ? keys.clock.sleep(2_500) : undefined)
    const begins = keys.clock.now() + PHASE_MILLISECONDS
    const pages: number[] = []
    await drive(keys, state, { onProgress: ({ scanned }) => pages.push(scanned) })
    expect(pages).toEqual([1, 2, 3, 4, 5, 5])
    expect(
      keys.events.flatMap((event) =>
        event.type === 'draining' ? [[event.at - begins, event.scanned, event.shard, event.shards]] : [],
      ),
    ).toEqual([
      [5_000, 2, 2, 1],
      [10_000, 4, 2, 1],
      [15_000, 5, 2, 1],
    ])
  })

  it.each([
    ['one item at a time at the slowest rate', 10, 1],
    ['one at a time at a hundred units', 199, 1],
    ['an item for each hundred units', 300, 3],
    ['no more than eight', 10_000, 8],
    ['eight at a rate that follows the load', undefined, 8],
  ])('is made with %s', async (_what, unitsPerSecond, most) => {
    const keys = begun('random')
    for (let sk = 0; sk < 20; sk++) keys.put(2, sk)
    let [atATime, mostAtATime] = [0, 0]
    keys.service.before = async (operation) => {
      if (operation !== 'TransactWriteItems') return
      atATime += 1
      mostAtATime = Math.max(mostAtATime, atATime)
      await keys.clock.sleep(5_000)
      atATime -= 1
    }
    await drive(keys, keys.state, { unitsPerSecond })
    expect(mostAtATime).toBe(most)
  })
})
