import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import type { IsothermEvent, ThrottleScope } from '../events/event.js'
import type { LogicalKey } from '../keys/key.js'
import type { KeyReadThrottle } from './key-counts.js'
import type { ReadHeat, Spread } from './read-heat.js'
import { openReadSensing } from './read-sensing.js'

const KEY = { S: 'k' } as LogicalKey
const ITEM: Spread = { by: 'item', item: { N: '7' } }
const QUERY: Spread = { by: 'query' }
const INDEX_REASON = 'IndexReadKeyRangeThroughputExceeded'

/** The sensing of a table whose throttles without a reason have the given scope. */
function setUp(scope: ThrottleScope = 'partition') {
  const clock = new VirtualClock()
  const events: IsothermEvent[] = []
  const ofTable: unknown[] = []
  const spread: KeyReadThrottle[] = []
  const sensing = openReadSensing({
    table: 'log',
    clock,
    emit: (event) => events.push(event),
    sensor: { scope: () => scope } as never,
    tableThrottles: { throttled: (...asked) => void ofTable.push(asked) },
    onSpreadThrottled: (key, throttle) => {
      expect(key).toBe(KEY)
      spread.push(throttle)
    },
  })
  const answered = (units: number, more: Partial<Parameters<ReadHeat['answered']>[2]> = {}) =>
    sensing.answered(KEY, units, { wasThrottled: false, shards: 1, spread: ITEM, ...more })
  const throttled = (more: Partial<Parameters<ReadHeat['throttled']>[0]> = {}) =>
    sensing.throttled({
      key: KEY,
      shard: 3,
      attempt: 1,
      shards: 1,
      reasons: [],
      index: undefined,
      spread: ITEM,
      ...more,
    })
  const units = () => {
    const { offeredUnits, acceptedUnits, throttledUnits } = sensing.heat?.report(KEY) ?? {}
    return { offeredUnits, acceptedUnits, throttledUnits }
  }
  return { clock, events, ofTable, spread, sensing, answered, throttled, units }
}

describe('the heat of reads', () => {
  it('is missing until the table was read', async () => {
    const { sensing, answered } = setUp()
    expect(sensing.heat).toBeUndefined()
    await sensing.scanThrottled({ attempt: 1, reasons: [], index: undefined })
    expect(sensing.heat).toBeUndefined()
    answered(1)
    expect(sensing.heat?.hottest(9).keys.map(({ key }) => key)).toEqual([KEY])
  })

  it('has the units of each answer', () => {
    const { answered, units } = setUp()
    answered(2)
    answered(5, { spread: undefined })
    expect(units()).toEqual({ offeredUnits: 7, acceptedUnits: 7, throttledUnits: 0 })
  })

  it('has a throttled read once, however often it is throttled, and its answer as accepted', async () => {
    const { answered, throttled, units } = setUp()
    for (const attempt of [1, 2, 3]) await throttled({ attempt })
    expect(units()).toEqual({ offeredUnits: 0.5, acceptedUnits: 0, throttledUnits: 0.5 })
    answered(0.5, { wasThrottled: true })
    expect(units()).toEqual({ offeredUnits: 0.5, acceptedUnits: 0.5, throttledUnits: 0.5 })
  })

  it('takes a throttled read for one like those before it, for each of its shards', async () => {
    const { answered, throttled, spread } = setUp()
    for (let read = 0; read < 300; read++) answered(8, { shards: 2 })
    await throttled({ shards: 3 })
    expect(spread.map(({ units }) => units)).toEqual([expect.closeTo(12)])
  })

  it('takes a throttled query for one like the queries before it', async () => {
    const { answered, throttled, spread } = setUp()
    for (let read = 0; read < 300; read++) {
      answered(40, { shards: 4, spread: QUERY })
      answered(0.5)
    }
    await throttled({ shards: 4, spread: QUERY })
    await throttled({ shards: 4, spread: ITEM })
    const [query, item] = spread.map(({ units }) => units)
    expect(query).toBeCloseTo(40)
    expect(item).toBeLessThan(30)
  })

  it('follows the size of reads gradually: a sixteenth of the way with each answer', async () => {
    const { answered, throttled, spread } = setUp()
    answered(16.5)
    await throttled()
    answered(16.5)
    await throttled()
    expect(spread.map(({ units }) => units)).toEqual([1.5, 1.5 + 15 / 16])
  })

  it.each<readonly [ThrottleScope, number]>([
    ['partition', 0.5],
    ['unknown', 0.5],
    ['table', 0],
  ])('counts a throttle by a partition (%s)', async (scope, throttledUnits) => {
    const { throttled, units } = setUp(scope)
    await throttled()
    expect(units()).toEqual({ offeredUnits: 0.5, acceptedUnits: 0, throttledUnits })
  })

  it('is that of the table alone, without its indexes', async () => {
    const { sensing, throttled } = setUp()
    await throttled({ index: 'by_status' })
    await throttled({ index: 'by_status', reasons: ['TableReadKeyRangeThroughputExceeded'] })
    expect(sensing.heat).toBeUndefined()
  })
})

describe('a throttled read', () => {
  it('is an event, with what throttled it', async () => {
    const { clock, events, throttled } = setUp('unknown')
    clock.advance(5)
    const reasons = ['SomethingNew']
    expect(await throttled({ attempt: 2, reasons })).toBe('unknown')
    expect(events).toEqual([
      {
        type: 'throttled',
        table: 'log',
        logicalKey: 'k',
        shard: 3,
        attempt: 2,
        scope: 'unknown',
        reasons,
        access: 'read',
        at: clock.now(),
      },
    ])
    expect(events[0]).not.toHaveProperty('index')
  })

  it.each([
    { reasons: [INDEX_REASON], scope: 'index' },
    { reasons: ['TableReadKeyRangeThroughputExceeded'], scope: 'partition' },
    // What the table consumes does not show what throttled a query of an index.
    { reasons: [], scope: 'index' },
  ])('of an index is by the reasons that the service gives: $reasons', async ({ reasons, scope }) => {
    const { events, throttled, ofTable, spread } = setUp('table')
    expect(await throttled({ index: 'by_status', reasons })).toBe(scope)
    expect(events).toEqual([expect.objectContaining({ type: 'throttled', index: 'by_status', scope })])
    expect(ofTable).toEqual([])
    // More shards of the key in the table spread no query of an index.
    expect(spread).toEqual([])
  })

  it('by the table as a whole may raise its capacity', async () => {
    const { throttled, ofTable, spread } = setUp('table')
    const reasons = ['TableReadProvisionedThroughputExceeded']
    expect(await throttled({ reasons })).toBe('table')
    expect(ofTable).toEqual([[reasons, 'read']])
    expect(spread).toEqual([])
  })

  it('by a partition is none of the table', async () => {
    const { throttled, ofTable } = setUp('partition')
    expect(await throttled()).toBe('partition')
    expect(ofTable).toEqual([])
  })
})

describe('more shards', () => {
  it.each(['partition', 'unknown'] as const)('spread reads of single items (%s)', async (scope) => {
    const { throttled, spread } = setUp(scope)
    await throttled({ attempt: 2 })
    expect(spread).toEqual([
      { scope, units: 0.5, attempt: 2, item: { N: '7' }, mostFactor: Number.POSITIVE_INFINITY },
    ])
  })

  it('do not spread reads that ask all shards', async () => {
    const { throttled, spread } = setUp()
    await throttled({ spread: undefined })
    expect(spread).toEqual([])
  })

  it.each([
    // An answer counts for a sixteenth: now queries read 2 or 5 units of a shard.
    { answer: 24.5, unitsOfShard: 2, factors: [] },
    { answer: 72.5, unitsOfShard: 5, factors: [2.5] },
  ])('spread queries until each shard is read two units ($unitsOfShard now)', async ({ answer, factors }) => {
    const { answered, throttled, spread } = setUp()
    answered(4 * answer, { shards: 4, spread: QUERY })
    await throttled({ spread: QUERY })
    expect(spread.map(({ mostFactor }) => mostFactor)).toEqual(factors)
    expect(spread.every(({ item }) => item === undefined)).toBe(true)
  })
})

describe('a throttled scan', () => {
  it('is an event, and no heat of a key', async () => {
    const { clock, events, sensing, ofTable } = setUp('partition')
    const reasons = ['TableReadKeyRangeThroughputExceeded']
    expect(await sensing.scanThrottled({ attempt: 4, reasons, index: undefined })).toBe('partition')
    expect(events).toEqual([
      { type: 'scan-throttled', table: 'log', attempt: 4, scope: 'partition', reasons, at: clock.now() },
    ])
    expect(events[0]).not.toHaveProperty('index')
    expect(ofTable).toEqual([])
  })

  it('of an index names it', async () => {
    const { events, sensing } = setUp('table')
    const scan = { attempt: 1, reasons: [INDEX_REASON], index: 'by_status' }
    expect(await sensing.scanThrottled(scan)).toBe('index')
    expect(events).toEqual([expect.objectContaining({ index: 'by_status', scope: 'index' })])
  })

  it('by the table as a whole may raise its capacity', async () => {
    const { sensing, ofTable } = setUp('table')
    await sensing.scanThrottled({ attempt: 1, reasons: ['a'], index: undefined })
    expect(ofTable).toEqual([[['a'], 'read']])
  })
})
