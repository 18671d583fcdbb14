import { describe, expect, it } from 'vitest'
import { KEY, openMap, START_SECONDS } from '../../test/carded-map.js'
import { ScriptedClient } from '../../test/scripted-client.js'
import type { IsothermEvent } from '../events/event.js'
import type { LogicalKey } from '../keys/key.js'
import { Suffix } from '../keys/suffix.js'
import { type AtRest, begin, type MovingTable, type Unfinished } from '../protocol/index.js'
import { firstState } from '../protocol/states/shard-state.js'
import { CountChanger } from './count-changer.js'

const FOUR = firstState(4, START_SECONDS - 600)
const GLOBAL = { Table: { Replicas: [{ RegionName: 'eu-west-1' }] } }

interface Shape {
  readonly suffix?: 'random' | 'calculated'
  readonly hasDrivers?: boolean
  readonly shardMapHasClient?: boolean
  readonly description?: object
}

/** A process with a key of four shards, which changes the count. */
function setUp({
  suffix = 'random',
  hasDrivers = true,
  shardMapHasClient = false,
  description = GLOBAL,
}: Shape = {}) {
  const map = openMap({ hasCard: false, growsAtOnce: suffix === 'random' })
  map.store.state = FOUR
  const service = new ScriptedClient(description)
  const events: IsothermEvent[] = []
  const begun: Unfinished[] = []
  const table = {
    options: { name: 'log', suffix: suffix === 'random' ? suffix : {}, shardMapHasClient },
    suffix: new Suffix('log', '_', false),
    client: service.client,
    clock: map.clock,
    emit: (event: IsothermEvent) => events.push(event),
  } as unknown as MovingTable
  const drivers = {
    firstStep: (state: AtRest, to: number, epochSeconds: number) => begin(suffix, state, to, epochSeconds),
    begin: (_key: LogicalKey, state: Unfinished) => void begun.push(state),
  }
  const changer = new CountChanger(table, map.shardMap, hasDrivers ? drivers : undefined)
  return { ...map, changer, service, events, begun }
}

describe('a change of a count', () => {
  it('is written with the present second, and told', async () => {
    const { clock, store, changer, events, begun } = setUp()
    clock.advance(1_999)
    const state = await changer.change(KEY, FOUR, 9, 'hot')
    expect(state).toMatchObject({ phase: 'settled', shards: 9, lastUpdated: START_SECONDS + 1 })
    expect(store.state).toEqual(state)
    expect(events).toEqual([
      { type: 'scaled', table: 'log', logicalKey: 'k', from: 4, to: 9, reason: 'hot', at: clock.now() },
    ])
    expect(begun).toEqual([])
  })

  it('that leaves shards to drain has a driver from then on', async () => {
    const { changer, events, begun } = setUp()
    const state = await changer.change(KEY, FOUR, 2, 'set')
    expect(begun).toEqual([state])
    expect(events).toMatchObject([{ type: 'scaled', from: 4, to: 2, reason: 'set' }])
  })

  it('of a calculated key is announced first', async () => {
    const { changer, events, begun } = setUp({ suffix: 'calculated' })
    const state = await changer.change(KEY, FOUR, 9, 'hot')
    expect(state).toMatchObject({ phase: 'announced', shards: 4, from: 4, to: 9 })
    expect(begun).toEqual([state])
    expect(events).toMatchObject([{ type: 'announced', from: 4, to: 9 }])
  })

  it('is not told where another process was first', async () => {
    const { store, changer, events, begun } = setUp()
    store.state = firstState(5, START_SECONDS - 1)
    expect(await changer.change(KEY, FOUR, 2, 'set')).toBeUndefined()
    expect(store.state.shards).toBe(5)
    expect([events, begun]).toEqual([[], []])
  })

  it('is written by a process that only grows keys, too, even where other processes have left shards to drain', async () => {
    const { store, changer } = setUp({ hasDrivers: false })
    const retired = begin('random', FOUR, 2, START_SECONDS - 300) as AtRest
    store.state = retired
    expect(await changer.change(KEY, retired, 6, 'hot')).toMatchObject({ shards: 6, phase: 'retired' })
  })

  it('is refused for a key without room for the last suffix, and changes nothing', async () => {
    const { store, changer } = setUp()
    const long = { S: 'x'.repeat(2_046) } as LogicalKey
    await expect(changer.change(long, FOUR, 10, 'set')).rejects.toMatchObject({ code: 'key.too-long' })
    expect(store.state).toBe(FOUR)
  })
})

describe('a table whose shard map has a client of its own', () => {
  const shape = { shardMapHasClient: true }

  it('lowers no count once it has become global, because replication could bring items back', async () => {
    const { store, changer, events } = setUp(shape)
    await expect(changer.change(KEY, FOUR, 2, 'set')).rejects.toMatchObject({
      code: 'table.unfit',
      details: { table: 'log', setting: 'shards' },
    })
    expect([store.state, events]).toEqual([FOUR, []])
  })

  it('still adds shards once it has become global, which does not allow it to lower counts', async () => {
    const { changer } = setUp(shape)
    const grown = await changer.change(KEY, FOUR, 8, 'hot')
    expect(grown).toMatchObject({ shards: 8 })
    await expect(changer.change(KEY, grown as AtRest, 2, 'set')).rejects.toMatchObject({
      code: 'table.unfit',
    })
  })

  it.each<[string, readonly number[], object]>([
    ['adds shards', [5, 6, 7], GLOBAL],
    ['lowers counts', [3, 2, 1], { Table: {} }],
  ])('is described once a minute while it %s', async (_what, counts, description) => {
    const { clock, changer, service } = setUp({ ...shape, description })
    service.onAttempt = ({ input }) => expect(input).toEqual({ TableName: 'log' })
    let state: AtRest = FOUR
    const described: number[] = []
    for (const [index, to] of counts.entries()) {
      clock.advance([0, 59_999, 1][index] ?? 0)
      state = (await changer.change(KEY, state, to, 'set')) as AtRest
      described.push(service.attempts)
    }
    expect(described).toEqual([1, 1, 2])
  })
})

it('a table whose shard map has no client of its own is not described: it was refused when it was global', async () => {
  const { changer, service } = setUp()
  await changer.change(KEY, FOUR, 2, 'set')
  expect(service.attempts).toBe(0)
})
