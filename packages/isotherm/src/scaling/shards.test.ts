import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { ScriptedClient } from '../../test/scripted-client.js'
import type { LogicalKey } from '../keys/key.js'
import { growByReads } from './grow-by-reads.js'
import type { CountsOpening } from './key-counts.js'
import { doubling, incrementBy, proportional } from './policy.js'
import { type DynamicShardsOptions, dynamicShards, fixedShards } from './shards.js'

const KEY = { S: 'k' } as LogicalKey

/** The error that names the option. */
const invalid = (option: string, value: unknown) =>
  expect.objectContaining({ code: 'options.invalid', details: { option, value } })

describe('dynamic shards', () => {
  it('have these values by default', () => {
    expect(dynamicShards()).toMatchObject({
      kind: 'dynamic',
      initial: 1,
      max: 200,
      cooldownMilliseconds: 0,
      jitterMilliseconds: [1_000, 1_500],
      quietMilliseconds: 3_600_000,
      shrink: 'when-it-pays',
      shrinkUnitsPerDay: 10_000_000,
      drainUnitsPerSecond: undefined,
      partitionUnitsPerSecond: 1_000,
      reads: undefined,
    })
  })

  it('grow by the proportional policy by default', () => {
    const evidence = {
      shards: 1,
      offeredUnits: 14_000,
      acceptedUnits: 2_000,
      throttledUnits: 12_000,
      windowSeconds: 2,
      trend: 1,
      isCalculated: false,
      partitionUnitsPerSecond: 1_000,
    }
    const count = dynamicShards().policy(evidence)
    expect(count).toBe(proportional()(evidence))
    expect(count).toBeCloseTo(10)
  })

  it('have the values that are given', () => {
    const policy = doubling()
    const reads = growByReads()
    expect(
      dynamicShards({
        initial: 3,
        max: 8,
        cooldown: '2m',
        jitter: ['100ms', '3s'],
        policy,
        quiet: '30m',
        shrink: 'when-it-pays',
        shrinkUnitsPerDay: 7,
        drainUnitsPerSecond: 40,
        partitionUnitsPerSecond: 50,
        reads,
      }),
    ).toMatchObject({
      initial: 3,
      max: 8,
      cooldownMilliseconds: 120_000,
      jitterMilliseconds: [100, 3_000],
      policy,
      quietMilliseconds: 1_800_000,
      shrink: 'when-it-pays',
      shrinkUnitsPerDay: 7,
      drainUnitsPerSecond: 40,
      partitionUnitsPerSecond: 50,
      reads,
    })
  })

  it.each<[string, DynamicShardsOptions]>([
    ['as many shards at first as at most', { initial: 4, max: 4 }],
    ['a thousand shards', { max: 1_000 }],
    ['a jitter that always takes the same time', { jitter: ['1s', '1s'] }],
    ['a minute of quiet', { quiet: '1m' }],
    ['the lowest limit of a partition', { partitionUnitsPerSecond: 1 }],
    ['the highest limit of a partition', { partitionUnitsPerSecond: 1_000_000 }],
    ['a function as the policy', { policy: () => 2 }],
  ])('may have %s', (_what, options) => {
    expect(() => dynamicShards(options)).not.toThrow()
  })

  it('never lose shards by themselves with quiet: false', () => {
    expect(dynamicShards({ quiet: false }).quietMilliseconds).toBeUndefined()
  })

  it.each<[string, unknown]>([
    ['initial', 0],
    ['initial', 201],
    ['max', 0],
    ['max', 1_001],
    ['cooldown', 'soon'],
    ['jitter', '1s'],
    ['jitter', ['1s']],
    ['jitter', ['1s', '2s', '3s']],
    ['jitter', ['2s', '1999ms']],
    ['quiet', '59999ms'],
    ['quiet', true],
    ['policy', 'doubling'],
    ['policy', proportional],
    ['policy', doubling],
    ['policy', incrementBy],
    ['drainUnitsPerSecond', 9],
    ['partitionUnitsPerSecond', 0],
    ['partitionUnitsPerSecond', 1_000_001],
    ['reads', true],
    ['reads', growByReads],
    ['reads', null],
  ])('refuse a value of %s that is none: %j', (name, value) => {
    expect(() => dynamicShards({ [name]: value } as never)).toThrow(invalid(`dynamicShards.${name}`, value))
  })

  it.each([0, 1])('name the bound of the jitter that is no duration: %i', (index) => {
    const jitter = ['1s', '1s'].with(index, 'soon')
    expect(() => dynamicShards({ jitter } as never)).toThrow(
      invalid(`dynamicShards.jitter[${index}]`, 'soon'),
    )
  })

  it('refuse options that they do not have', () => {
    expect(() => dynamicShards({ minimum: 1 } as never)).toThrow(
      expect.objectContaining({
        code: 'options.unknown',
        details: expect.objectContaining({ option: 'dynamicShards.minimum' }),
      }),
    )
  })
})

/** The counts of a table of one process, which answers every request with what an empty table answers. */
function openedFixed(
  shards: number | (() => number),
  {
    checkItems = true,
    hasCard = true,
    placementKind = 'calculated',
  }: { readonly checkItems?: boolean; readonly hasCard?: boolean; readonly placementKind?: string } = {},
) {
  const service = new ScriptedClient({ Items: [] })
  const clock = new VirtualClock()
  const options = { name: 'log', shardMap: 'map', partitionKey: 'pk', sortKey: 'sk', suffix: {}, checkItems }
  const table = { options, placementKind, clock, client: service.client }
  const counts = fixedShards(shards).open({ table, hasCard } as unknown as CountsOpening)
  return { counts, service, clock }
}

describe('fixed shards', () => {
  it('are the same for each key, and nothing changes them', async () => {
    const { counts, clock } = openedFixed(7)
    await clock.run(async () => {
      expect(await counts.views.forWrite(KEY)).toMatchObject({ shards: 7, readable: 7, moves: undefined })
    })
    expect(counts.views.known(KEY)).toBe(7)
    counts.throttled(KEY, { scope: 'partition', units: 1, attempt: 1, item: undefined })
    expect(counts.byHand(KEY)).toBeUndefined()
    expect(counts.migratable).toBeUndefined()
  })

  it('say whether they may change, and what they are now', () => {
    let now = 4
    const changing = fixedShards(() => now)
    expect([fixedShards(9).changes, fixedShards(9).count()]).toEqual([false, 9])
    expect([changing.changes, changing.count()]).toEqual([true, 4])
    now = 5
    expect(changing.count()).toBe(5)
  })

  it.each([1, 1_000])('may be %i', (count) => {
    expect(fixedShards(count).count()).toBe(count)
    expect(fixedShards(() => count).count()).toBe(count)
  })

  it.each([0, 1_001, 1.5])(
    'may not be %d: a number is refused at once, and that of a function by each request',
    (count) => {
      expect(() => fixedShards(count)).toThrow(invalid('fixedShards(count)', count))
      const { counts } = openedFixed(() => count, { checkItems: false })
      expect(() => counts.views.forWrite(KEY)).toThrow(invalid('fixedShards(count)', count))
    },
  )

  it('are compared with what the table holds before the first request', async () => {
    const { counts, service, clock } = openedFixed(2)
    await clock.run(async () => {
      await counts.views.forWrite(KEY)
    })
    expect(service.attempts).toBeGreaterThan(0)
  })

  it.each([
    ['with checkItems: false', { checkItems: false }],
    ['for an index, which has no card', { hasCard: false }],
    ['in a table without a suffix', { placementKind: 'bare' }],
  ])('are believed %s', (_where, shape) => {
    const { counts, service } = openedFixed(2, shape)
    expect(counts.views.forWrite(KEY)).toMatchObject({ shards: 2 })
    expect(service.attempts).toBe(0)
  })
})
