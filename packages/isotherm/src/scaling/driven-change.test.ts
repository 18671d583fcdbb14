import { describe, expect, it } from 'vitest'
import { drivenKeys, KEY } from '../../test/driven-keys.js'
import { resize } from '../protocol/states/random-count.js'
import { type AtRest, firstState, type ShardState, type Unfinished } from '../protocol/states/shard-state.js'
import { renew } from '../protocol/states/steps.js'
import { PassOvertaken } from './drain-pass.js'
import { DrivenChange } from './driven-change.js'

const RENEW_MILLISECONDS = 20_000

/** A driver that has just written that a random key loses its second shard. */
function setUp() {
  const keys = drivenKeys()
  const { clock, states, shardMap, seconds } = keys
  const state = resize(firstState(2, seconds() - 600), 1, seconds()) as Unfinished
  states.set(state)
  const change = new DrivenChange(shardMap, KEY, clock, state)
  const write = (next: (state: ShardState, seconds: number) => ShardState) =>
    states.set(next(states.get() ?? state, seconds()))
  return { ...keys, state, change, write }
}

describe('a driven change', () => {
  it('is renewed twenty seconds after it was written, and not before', async () => {
    const { clock, states, change, state } = setUp()
    clock.advance(RENEW_MILLISECONDS - 1)
    await change.renewIfDue()
    expect(states.writes).toEqual([])
    clock.advance(1)
    await change.renewIfDue()
    expect(change.state).toEqual({ ...state, lastUpdated: state.lastUpdated + 20 })
    expect(states.get()).toEqual(change.state)
    clock.advance(RENEW_MILLISECONDS - 1)
    await change.renewIfDue()
    expect(states.writes).toHaveLength(1)
  })

  it('is renewed once where several ask for it at a time', async () => {
    const { clock, states, change } = setUp()
    clock.advance(RENEW_MILLISECONDS)
    await Promise.all([change.renewIfDue(), change.renewIfDue()])
    expect(states.writes).toHaveLength(1)
    clock.advance(RENEW_MILLISECONDS)
    await change.renewIfDue()
    expect(states.writes).toHaveLength(2)
  })

  it.each([
    ['renewed', (change: DrivenChange) => change.renewIfDue()],
    ['replaced', (change: DrivenChange) => change.replace(renew(change.state, change.epochSeconds()))],
  ])('is not %s where another process has written it', async (_what, act) => {
    const { clock, states, change, write } = setUp()
    clock.advance(RENEW_MILLISECONDS)
    write(renew)
    await expect(act(change)).rejects.toBeInstanceOf(PassOvertaken)
    expect(states.writes).toEqual([])
  })

  it('lets its driver move items on a view of the state that the driver has written, or of one before', async () => {
    const { change, shardMap, clock } = setUp()
    const view = await shardMap.forRead(KEY, { consistent: true })
    expect(await change.confirm(view)).toBe(view)
    clock.advance(RENEW_MILLISECONDS)
    await change.renewIfDue()
    expect(await change.confirm(view)).toBe(view)
  })

  it('lets its driver move nothing once another process has written it', async () => {
    const { change, shardMap, write } = setUp()
    write(renew)
    await expect(change.confirm(await shardMap.viewNow(KEY))).rejects.toBeInstanceOf(PassOvertaken)
  })

  it('waits for its own renewal, which a view may show before the response has arrived', async () => {
    const { change, shardMap, states, clock } = setUp()
    clock.advance(RENEW_MILLISECONDS)
    states.afterReplace = () => clock.sleep(4_000)
    await clock.run(async () => {
      const renewing = change.renewIfDue()
      const view = await shardMap.viewNow(KEY)
      expect(await change.confirm(view)).toBe(view)
      await renewing
    })
  })

  it('lets its driver go on with its view while a renewal has no response yet', async () => {
    const { change, shardMap, states, clock } = setUp()
    const view = await shardMap.forRead(KEY, { consistent: true })
    clock.advance(RENEW_MILLISECONDS)
    states.before = (request) => request === 'replace' && clock.sleep(4_000)
    await clock.run(async () => {
      const renewing = change.renewIfDue()
      const before = clock.now()
      expect(await change.confirm(view)).toBe(view)
      expect(clock.now()).toBe(before)
      await renewing
    })
  })

  it('is renewed every twenty seconds after it was written, until the signal aborts', async () => {
    const { change, states, clock } = setUp()
    const writtenAt = clock.now()
    const stop = new AbortController()
    clock.advance(500)
    await clock.run(async () => {
      const renewing = change.renewUntil(stop.signal)
      await clock.sleep(50_000)
      stop.abort()
      await renewing
      await clock.sleep(50_000)
    })
    expect(states.writes.map(({ at }) => at - writtenAt)).toEqual([20_000, 40_000])
  })

  it('is tried to be renewed each second, and no more often, while that fails', async () => {
    const { change, states, clock } = setUp()
    let tried = 0
    states.before = (request) => {
      if (request !== 'replace') return
      tried += 1
      throw new Error('Denied.')
    }
    const stop = new AbortController()
    await clock.run(async () => {
      const renewing = change.renewUntil(stop.signal)
      await clock.sleep(RENEW_MILLISECONDS + 4_500)
      stop.abort()
      await renewing
    })
    expect(tried).toBe(5)
  })
})

describe('a change that a driver claims again', () => {
  const grown = (state: ShardState, seconds: number) => resize(state as AtRest, 2, seconds)

  it('is its own with the count that another process has written, and renewed twenty seconds later', async () => {
    const { change, states, clock, write } = setUp()
    clock.advance(5_000)
    write(grown)
    expect(await change.claimAgain()).toBe('claimed')
    expect(change.state).toMatchObject({ shards: 2, phase: 'retired' })
    expect(states.get()).toEqual(change.state)
    clock.advance(RENEW_MILLISECONDS - 1)
    await change.renewIfDue()
    expect(states.writes).toHaveLength(1)
  })

  it('is left to a driver that has claimed or renewed it since', async () => {
    const { change, states, clock, write } = setUp()
    clock.advance(5_000)
    write(renew)
    expect(await change.claimAgain()).toBe('overtaken')
    expect(states.writes).toEqual([])
  })

  it('is left to a process that writes it while it is claimed', async () => {
    const { change, states, clock, write } = setUp()
    clock.advance(5_000)
    write(grown)
    states.before = (request) => request === 'replace' && write(renew)
    expect(await change.claimAgain()).toBe('overtaken')
  })

  it.each<[string, (state: ShardState, seconds: number) => ShardState]>([
    ['has settled', (_state, seconds) => firstState(1, seconds)],
    ['has the initial count again', (state, seconds) => ({ ...renew(state, seconds), initialAsOf: 7 })],
  ])('has nothing left to do when the key %s', async (_when, next) => {
    const { change, states, write } = setUp()
    write(next)
    expect(await change.claimAgain()).toBe('settled')
    expect(states.writes).toEqual([])
  })
})
