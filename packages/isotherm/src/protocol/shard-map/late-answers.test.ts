import { VirtualClock } from '@isotherm/runtime'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EMPTY_CARD } from '../../../test/log-card.js'
import { MemoryShardMap } from '../../../test/shared-map.js'
import type { LogicalKey } from '../../keys/key.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import { NO_HEAT } from '../states/fleet-signs.js'
import { resize } from '../states/random-count.js'
import { type AtRest, firstState, isChanging, type ShardState } from '../states/shard-state.js'
import type { TableCard } from '../table-card/table-card.js'
import { TableCards } from '../table-card/table-cards.js'
import { ShardMap } from './shard-map.js'

const KEY = { S: 'k' } as LogicalKey
const CACHE_MILLISECONDS = 30_000

interface Latency {
  /** How long a request is on its way to the table. */
  readonly request: number
  /** How long its response is on its way back. */
  readonly response: number
}

/** A shard map whose table is far away. Each request takes the latency that is set when it is sent. */
class DistantShardMap extends MemoryShardMap {
  latency: Latency = { request: 0, response: 0 }
  onChange: (state: ShardState) => void = () => {}
  readonly #clock: VirtualClock

  constructor(clock: VirtualClock) {
    super()
    this.#clock = clock
  }

  override read() {
    return this.#afar(() => super.read())
  }

  override create(key: LogicalKey, state: ShardState) {
    return this.#afar(() => super.create(key, state))
  }

  override report() {
    return this.#afar(() => super.report())
  }

  override replace(key: LogicalKey, seen: ShardState, next: ShardState) {
    return this.#afar(async () => {
      const isFirst = await super.replace(key, seen, next)
      if (isFirst) this.onChange(next)
      return isFirst
    })
  }

  /** Changes the state as another process does. */
  change(state: ShardState): void {
    this.state = state
    this.onChange(state)
  }

  async #afar<T>(execute: () => Promise<T>): Promise<T> {
    const { request, response } = this.latency
    await this.#clock.sleep(request)
    const result = await execute()
    await this.#clock.sleep(response)
    return result
  }
}

/** The card of the table, which other processes write to. It is read at once. */
class NearCard {
  card: TableCard = EMPTY_CARD
  readonly find = async () => this.card
  readonly read = this.find

  list(name: string): void {
    this.card = { ...this.card, listed: new Set([name]), version: this.card.version + 1 }
  }
}

/** The same with the card of the table. */
function withCard() {
  const near = new NearCard()
  const { clock, store, options } = setUp()
  const cards = new TableCards({
    table: { name: 'log', shardMap: 'log_shard_map', cacheMilliseconds: CACHE_MILLISECONDS } as ShardedTable,
    store: near as NearCard & ConstructorParameters<typeof TableCards>[0]['store'],
    clock,
    settings: {},
    onRefreshFailed: options.onRefreshFailed,
  })
  return { clock, store, near, cards, shardMap: new ShardMap({ ...options, cards }) }
}

function setUp(state?: AtRest) {
  const clock = new VirtualClock(1_800_000_000_000)
  const store = new DistantShardMap(clock)
  store.state = state
  const options = {
    store,
    clock,
    initial: 1,
    cacheMilliseconds: CACHE_MILLISECONDS,
    remembersMissing: true,
    growsAtOnce: true,
    onRead: () => {},
    onRefreshFailed: (error: unknown) => expect.fail(String(error)),
  }
  return { clock, store, options, shardMap: new ShardMap(options) }
}

const FIRST = firstState(1, 1)
const CONSISTENT = { consistent: true }
const CACHED = { consistent: false }

describe('an entry of the shard map', () => {
  it.each([
    ['a read', async (map: ShardMap) => map.forRead(KEY, CACHED)],
    ['a consistent read', async (map: ShardMap) => map.forRead(KEY, CONSISTENT)],
    ['a write', async (map: ShardMap) => map.forWrite(KEY)],
    ['a repeated read', (map: ShardMap) => map.reread(KEY)],
    ['a report', (map: ShardMap) => map.report(KEY, FIRST, NO_HEAT)],
    ['a replacement', (map: ShardMap) => map.replace(KEY, FIRST, resize(FIRST, 2, 2))],
    ['a lost replacement', (map: ShardMap) => map.replace(KEY, resize(FIRST, 7, 7), resize(FIRST, 9, 9))],
  ])('lives from the time when %s was sent, however late the response is', async (_name, ask) => {
    const { clock, store, shardMap } = setUp(FIRST)
    store.latency = { request: 0, response: 4_000 }
    await clock.run(async () => {
      const asked = clock.now()
      await ask(shardMap)
      // A lost replacement is followed by a read, which is sent when the loss is known.
      const sent = store.reads > 0 && clock.now() - asked > 4_000 ? asked + 4_000 : asked
      expect(clock.now()).toBe(sent + 4_000)
      expect((await shardMap.forRead(KEY, CACHED)).validUntil).toBe(sent + CACHE_MILLISECONDS)
    })
  })

  it('lives from the time when its creation was sent', async () => {
    const { clock, store, shardMap } = setUp()
    store.latency = { request: 1_000, response: 3_000 }
    await clock.run(async () => {
      const asked = clock.now()
      const { validUntil } = await shardMap.forWrite(KEY)
      // The key was read first, and then created.
      expect(clock.now()).toBe(asked + 8_000)
      expect(validUntil).toBe(asked + 4_000 + CACHE_MILLISECONDS)
    })
  })

  it('tells since when this process has known the count, however often it has been read since', async () => {
    const { clock, store, shardMap } = setUp(FIRST)
    expect(shardMap.countSince(KEY)).toBeUndefined()
    await clock.run(async () => {
      const learnt = clock.now()
      await shardMap.reread(KEY)
      await clock.sleep(2 * CACHE_MILLISECONDS)
      await shardMap.reread(KEY)
      expect(shardMap.countSince(KEY)).toBe(learnt)
      store.state = resize(FIRST, 4, 2)
      await clock.sleep(1_000)
      await shardMap.reread(KEY)
      expect(shardMap.countSince(KEY)).toBe(clock.now())
    })
  })

  it('is not replaced by an older answer that arrives later', async () => {
    const { clock, store, shardMap } = setUp(FIRST)
    await clock.run(async () => {
      store.latency = { request: 0, response: 5_000 }
      const late = shardMap.reread(KEY)
      await clock.sleep(1_000)
      store.state = resize(FIRST, 4, 2)
      store.latency = { request: 0, response: 0 }
      const { validUntil } = await shardMap.forRead(KEY, CONSISTENT)
      // The late reader learns of the newer count as well.
      expect(await late).toMatchObject({ shards: 4 })
      expect(await shardMap.forRead(KEY, CACHED)).toMatchObject({ shards: 4, validUntil })
    })
  })

  it('does not live longer, or shorter, because a read that was sent earlier finds the same count later', async () => {
    const { clock, store, shardMap } = setUp(FIRST)
    await clock.run(async () => {
      store.latency = { request: 0, response: 5_000 }
      const late = shardMap.reread(KEY)
      await clock.sleep(1_000)
      store.latency = { request: 0, response: 0 }
      const { validUntil } = await shardMap.forRead(KEY, CONSISTENT)
      await late
      expect((await shardMap.forRead(KEY, CACHED)).validUntil).toBe(validUntil)
    })
  })
})

describe('the item of a key that is not there', () => {
  it('is not missed because another process adds it, and lists the key, while the answer is on its way', async () => {
    const { clock, store, near, cards, shardMap } = withCard()
    await clock.run(async () => {
      await cards.current(KEY)
      store.latency = { request: 0, response: 4_000 }
      const late = shardMap.viewNow(KEY)
      await clock.sleep(1_000)
      store.change(resize(FIRST, 2, 2))
      near.list('k')
      await cards.readNow(KEY)
      expect(await late).toMatchObject({ shards: 1, validUntil: clock.now() - 4_000 + CACHE_MILLISECONDS })
    })
  })

  it('is missed if the card listed the key before it was asked for', async () => {
    const { clock, near, shardMap } = withCard()
    near.list('k')
    await clock.run(() =>
      expect(shardMap.viewNow(KEY)).rejects.toMatchObject({ code: 'card.lost', details: { reason: 'item' } }),
    )
  })
})

const milliseconds = fc.oneof(fc.constant(0), fc.nat(100), fc.nat(6_000))
const step = fc.record({
  pauseMilliseconds: fc.oneof(fc.nat(200), fc.nat(5_000), fc.nat(20_000)),
  latency: fc.record({ request: milliseconds, response: milliseconds }),
  what: fc.constantFrom('read', 'read', 'write', 'read consistently', 'report', 'change', 'change by hand'),
})

/** What one request was given to work with. */
interface Given {
  readonly at: number
  readonly shards: number
  readonly validUntil: number
}

it('uses no count longer than a lifetime after it was replaced, and none after a newer one, however late answers are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { clock, store, shardMap } = setUp(FIRST)
      // Each change adds one shard, so the count identifies the state.
      const next = (state: AtRest) => resize(state, state.shards + 1, 0)
      const changedAt = new Map<number, number>()
      const given: Given[] = []
      const outdated: Given[] = []
      const currentState = () => {
        const { state } = store
        if (state === undefined || isChanging(state)) return expect.fail('The key is at rest.')
        return state
      }
      store.onChange = ({ shards }) => changedAt.set(shards, clock.now())
      const request = async (what: 'read' | 'write' | 'read consistently') => {
        const before = currentState().shards
        const consistent = what === 'read consistently'
        const view = await (what === 'write' ? shardMap.forWrite(KEY) : shardMap.forRead(KEY, { consistent }))
        const one = { at: clock.now(), shards: view.shards, validUntil: view.validUntil }
        // No request is sent on a view whose answer came after its end.
        if (one.validUntil > one.at) given.push(one)
        if (consistent && one.shards < before) outdated.push(one)
      }
      await clock.run(async () => {
        const underWay: Promise<unknown>[] = []
        for (const { pauseMilliseconds, latency, what } of steps) {
          await clock.sleep(pauseMilliseconds)
          store.latency = latency
          const state = currentState()
          if (what === 'change by hand') store.change(next(state))
          else if (what === 'change') underWay.push(shardMap.replace(KEY, state, next(state)))
          else if (what === 'report') underWay.push(shardMap.report(KEY, state, NO_HEAT))
          else underWay.push(request(what))
        }
        await Promise.all(underWay)
      })
      expect(outdated).toEqual([])
      for (const { at, shards, validUntil } of given) {
        const replacedAt = changedAt.get(shards + 1) ?? Number.POSITIVE_INFINITY
        expect(validUntil).toBeLessThanOrEqual(replacedAt + CACHE_MILLISECONDS)
        const newer = given.filter((one) => one.at < at && one.shards > shards)
        expect(newer).toEqual([])
      }
    }),
    { numRuns: 200 },
  )
})
