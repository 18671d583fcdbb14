import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { ScriptedClient } from '../../test/scripted-client.js'
import type { LogicalKey } from '../keys/key.js'
import { Suffix } from '../keys/suffix.js'
import { NO_HEAT, type ShardState, TableCards } from '../protocol/index.js'
import { announce, drain, move } from '../protocol/states/calculated-count.js'
import { resize } from '../protocol/states/random-count.js'
import { firstState } from '../protocol/states/shard-state.js'
import { openRebalancer, type Rebalanced } from './rebalancer.js'
import { type DynamicShardsOptions, dynamicShards } from './shards.js'

const KEY = { S: 'k' } as LogicalKey
const BUSY = 1_800_000_000
const FIRST = firstState(1, BUSY - 100)

function setUp({
  state = FIRST,
  shards = {},
  hasCards = false,
}: {
  readonly state?: ShardState
  readonly shards?: DynamicShardsOptions
  readonly hasCards?: boolean
} = {}) {
  const clock = new VirtualClock((BUSY + 3_600) * 1_000)
  const scripted = new ScriptedClient()
  const failures: unknown[] = []
  const ending = new AbortController()
  const rebalancer = openRebalancer({
    table: {
      client: scripted.client,
      clock,
      random: new SeededRandom(1),
      options: { name: 'log', partitionKey: 'pk', sortKey: 'sk', maxAttempts: 3 },
      placementKind: 'random',
      suffix: new Suffix('log', '_', false),
      emit: () => {},
    },
    shards: dynamicShards({ jitter: ['0s', '0s'], ...shards }),
    shardMap: { reread: async () => state, peek: () => state },
    cards: hasCards ? Object.create(TableCards.prototype, { peek: { value: () => undefined } }) : undefined,
    store: { sign: async () => true },
    signal: ending.signal,
    onFailed: (...failure: unknown[]) => failures.push(failure),
  } as unknown as Rebalanced)
  return { clock, scripted, rebalancer, failures, ending }
}

describe('a state of the shard map that a process reads', () => {
  const SETTLED = resize(FIRST, 2, BUSY + 1)
  const ANNOUNCED = announce(FIRST, 2, BUSY + 1)
  const MOVED = move(ANNOUNCED, BUSY + 2)
  const DRAINING = drain(MOVED, BUSY + 3)

  it('two phases after the one that its requests still use is an error, which fails no request', () => {
    const { rebalancer, failures } = setUp()
    rebalancer.noticed(KEY, DRAINING, ANNOUNCED)
    expect(failures).toEqual([
      ['change-count', expect.objectContaining({ message: expect.stringContaining('cacheTtl') })],
    ])
  })

  it.each<readonly [string, ShardState, ShardState | undefined]>([
    ['the next phase', MOVED, ANNOUNCED],
    ['the same phase', SETTLED, SETTLED],
    ['any phase, where no request uses an earlier one', DRAINING, undefined],
  ])('is no error in %s', (_which, state, inUse) => {
    const { rebalancer, failures } = setUp()
    rebalancer.noticed(KEY, state, inUse)
    expect(failures).toEqual([])
  })
})

describe('the first step of a change', () => {
  it('is the new count for a random suffix', () => {
    const { rebalancer } = setUp()
    expect(rebalancer.firstStep(FIRST, 4, BUSY + 9)).toMatchObject({ phase: 'settled', shards: 4 })
  })
})

describe('a table', () => {
  it('can be migrated if it has a card, and its rate of moves is that of the options', () => {
    expect(setUp().rebalancer.migratable).toBeUndefined()
    const { rebalancer, ending } = setUp({ hasCards: true, shards: { drainUnitsPerSecond: 50 } })
    const { migratable } = rebalancer
    expect(migratable).toMatchObject({ unitsPerSecond: 50 })
    expect(migratable?.signal).toBe(ending.signal)
  })

  it('has shards by hand for each key', async () => {
    const state = resize(FIRST, 4, BUSY + 1)
    const { rebalancer } = setUp({ state, hasCards: true })
    const shown = { shards: 4, readableShards: 4, phase: 'settled' }
    expect(await rebalancer.byHand(KEY).read()).toMatchObject(shown)
    expect(await rebalancer.migratable?.shardsOf(KEY).read()).toMatchObject(shown)
  })
})

it('the decision to shrink a key fails where its requests have no response, instead of waiting for ever', async () => {
  const grown = resize(FIRST, 4, BUSY)
  const quietReads = { units: 1e6, since: BUSY + 1, weighed: 0 }
  const fleet = { heat: NO_HEAT, lastGrowth: undefined, lastBusy: BUSY, quietReads }
  const { clock, scripted, rebalancer } = setUp({ state: { ...grown, fleet } })
  scripted.onAttempt = () => new Promise(() => {})
  await expect(clock.run(() => rebalancer.shrink(KEY))).rejects.toMatchObject({ name: 'TimeoutError' })
})
