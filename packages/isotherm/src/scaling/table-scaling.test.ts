import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type Answer, answerWith, ScriptedClient, serviceError } from '../../test/scripted-client.js'
import type { IsothermEvent } from '../events/event.js'
import type { LogicalKey } from '../keys/key.js'
import type { CapacityRaise, CapacityRaiserOptions } from './capacity-raise.js'
import type { CountsOpening, KeyCounts } from './key-counts.js'
import type { TableMetrics } from './sensing/table-usage.js'
import { openScaling } from './table-scaling.js'

const KEY = { S: 'k' } as LogicalKey
const HOT_PARTITION = ['TableWriteKeyRangeThroughputExceeded']
const SMALL_TABLE = ['TableWriteProvisionedThroughputExceeded']
/** A table whose capacity alone explains no throttle. */
const LARGE_TABLE = answerWith({ Table: { BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' } } })
const DENIED = serviceError('AccessDeniedException', { $fault: 'client' })

/** The scaling of a table with scripted counts, and what reaches these. */
function setUp({
  description = LARGE_TABLE,
  tableMetrics,
  capacity = [],
  counts = {},
}: {
  readonly description?: Answer
  readonly tableMetrics?: TableMetrics
  readonly capacity?: readonly CapacityRaise[]
  readonly counts?: Partial<KeyCounts>
} = {}) {
  const clock = new VirtualClock()
  const scripted = new ScriptedClient(description)
  const events: IsothermEvent[] = []
  const evidence: unknown[] = []
  const opened: CountsOpening[] = []
  const open = (opening: CountsOpening): KeyCounts => {
    opened.push(opening)
    return {
      views: { known: (key: LogicalKey) => (key === KEY ? 4 : undefined) } as KeyCounts['views'],
      throttled: (...throttle) => void evidence.push(throttle),
      byHand: () => undefined,
      ...counts,
    }
  }
  const destroyed = new AbortController()
  const scaling = openScaling(
    {
      client: scripted.client,
      clock,
      random: new SeededRandom(1),
      emit: (event: IsothermEvent) => events.push(event),
      options: { name: 'log', shards: { open }, capacity },
    } as never,
    { openRebalancer: undefined, openSharedStates: undefined, tableMetrics, destroyed: destroyed.signal },
  )
  const throttled = (more: Partial<Parameters<typeof scaling.throttled>[0]> = {}) =>
    clock.run(() =>
      scaling.throttled({
        key: KEY,
        shard: 3,
        attempt: 1,
        units: 2,
        item: { N: '7' },
        reasons: HOT_PARTITION,
        ...more,
      }),
    )
  const read = (reasons: readonly string[]) =>
    clock.run(() =>
      scaling.reads.throttled({
        key: KEY,
        shard: 3,
        shards: 1,
        attempt: 1,
        reasons,
        index: undefined,
        spread: { by: 'item', item: { N: '7' } },
      }),
    )
  return { clock, scripted, events, evidence, opened, destroyed, scaling, throttled, read }
}

const failures = (events: readonly IsothermEvent[]) =>
  events.flatMap((event) => (event.type === 'failed' ? [[event.table, event.task, event.error]] : []))

describe('a throttled write', () => {
  it('of a hot partition is an event, heat of its key, and evidence for more shards', async () => {
    const { clock, events, evidence, scaling, throttled } = setUp()
    clock.advance(5)
    scaling.offered(KEY, 2)
    expect(await throttled()).toBe('partition')
    expect(await throttled({ attempt: 2 })).toBe('partition')
    scaling.accepted(KEY, 2)
    const event = {
      type: 'throttled',
      table: 'log',
      logicalKey: 'k',
      shard: 3,
      scope: 'partition',
      reasons: HOT_PARTITION,
      access: 'write',
      at: clock.now(),
    }
    expect(events).toEqual([
      { ...event, attempt: 1 },
      { ...event, attempt: 2 },
    ])
    const throttle = { scope: 'partition', units: 2, item: { N: '7' } }
    expect(evidence).toEqual([
      [KEY, { ...throttle, attempt: 1 }],
      [KEY, { ...throttle, attempt: 2 }],
    ])
    expect(scaling.hottest(9).keys).toEqual([
      expect.objectContaining({
        logicalKey: 'k',
        offeredUnitsPerSecond: 0.4,
        acceptedUnitsPerSecond: 0.4,
        // Each write counts once, however often it is throttled.
        throttledUnitsPerSecond: 0.4,
      }),
    ])
  })

  it('without a known reason is evidence, too', async () => {
    const { evidence, throttled } = setUp()
    expect(await throttled({ reasons: [] })).toBe('unknown')
    expect(evidence).toEqual([[KEY, expect.objectContaining({ scope: 'unknown' })]])
  })

  it('of the whole table is none, and another event says so', async () => {
    const { clock, events, evidence, scaling, throttled } = setUp()
    scaling.offered(KEY, 2)
    expect(await throttled({ reasons: SMALL_TABLE })).toBe('table')
    expect(events).toEqual([
      expect.objectContaining({ type: 'throttled', scope: 'table' }),
      { type: 'table-throttled', table: 'log', reasons: SMALL_TABLE, access: 'write', at: clock.now() },
    ])
    expect(evidence).toEqual([])
    expect(scaling.hottest(9).keys[0]).toMatchObject({ throttledUnitsPerSecond: 0 })
  })

  it('of an index is none of the key of the table', async () => {
    const { events, evidence, throttled } = setUp()
    expect(await throttled({ reasons: ['IndexWriteKeyRangeThroughputExceeded'] })).toBe('index')
    expect(events.map(({ type }) => type)).toEqual(['throttled'])
    expect(evidence).toEqual([])
  })
})

describe('the figures of the table, where a throttle has no reason,', () => {
  it('are its own capacity', async () => {
    const small = { BillingModeSummary: { BillingMode: 'PROVISIONED' } }
    const units = { ReadCapacityUnits: 9_000, WriteCapacityUnits: 900 }
    const { throttled, read } = setUp({
      description: answerWith({ Table: { ...small, ProvisionedThroughput: units } }),
    })
    expect(await throttled({ reasons: [] })).toBe('table')
    expect(await read([])).toBe('unknown')
  })

  it('are believed to say nothing if the table cannot be described, which an event says once', async () => {
    const { events, throttled } = setUp({ description: DENIED })
    expect(await throttled({ reasons: [] })).toBe('unknown')
    expect(await throttled({ reasons: [] })).toBe('unknown')
    expect(failures(events)).toEqual([['log', 'describe-table', DENIED]])
  })

  it('are those of all processes, where the application gives them, for writes and for reads', async () => {
    const asked: unknown[] = []
    const tableMetrics: TableMetrics = async (request) => {
      asked.push(request)
      return { unitsPerSecond: 5, throttles: { partition: 9, table: 0 } }
    }
    const { clock, throttled, read, events } = setUp({ tableMetrics })
    // The first throttle of each kind asks for them.
    await throttled({ reasons: [] })
    await read([])
    expect(await throttled({ reasons: [] })).toBe('partition')
    expect(await read([])).toBe('partition')
    const when = { table: 'log', since: clock.now(), now: clock.now() }
    expect(asked).toEqual([
      { ...when, access: 'write' },
      { ...when, access: 'read' },
    ])
    expect(failures(events)).toEqual([])
  })

  it('that cannot be read are an event', async () => {
    const { events, throttled } = setUp({ tableMetrics: () => Promise.reject(DENIED) })
    expect(await throttled({ reasons: [] })).toBe('unknown')
    expect(await throttled({ reasons: [] })).toBe('unknown')
    expect(failures(events)).toEqual([['log', 'table-metrics', DENIED]])
  })
})

describe('a throttled read', () => {
  it('by a partition is evidence if reads add shards', async () => {
    const spread: unknown[] = []
    const { read, evidence } = setUp({
      counts: { readThrottled: (...throttle) => void spread.push(throttle) },
    })
    expect(await read(['TableReadKeyRangeThroughputExceeded'])).toBe('partition')
    expect(spread).toEqual([[KEY, expect.objectContaining({ scope: 'partition', item: { N: '7' } })]])
    expect(evidence).toEqual([])
  })

  it('is an event in any case', async () => {
    const { read, events } = setUp()
    await read(['TableReadKeyRangeThroughputExceeded'])
    expect(events).toEqual([expect.objectContaining({ type: 'throttled', access: 'read' })])
  })

  it('by the whole table is an event of its own', async () => {
    const { read, events } = setUp()
    const reasons = ['TableReadProvisionedThroughputExceeded']
    await read(reasons)
    expect(events[1]).toMatchObject({ type: 'table-throttled', reasons, access: 'read' })
  })
})

describe('a table that may raise its capacity', () => {
  it('handles throttles of the whole table, instead of the event', async () => {
    const handled: unknown[] = []
    const openings: CapacityRaiserOptions[] = []
    const raise = {
      open: (raises: readonly CapacityRaise[], opening: CapacityRaiserOptions) => {
        expect(raises).toEqual([raise])
        openings.push(opening)
        return { throttled: (...throttle: unknown[]) => void handled.push(throttle) }
      },
    } as unknown as CapacityRaise
    const { clock, events, scripted, throttled, read } = setUp({ capacity: [raise] })
    await throttled({ reasons: SMALL_TABLE })
    await read(['TableReadProvisionedThroughputExceeded'])
    expect(handled).toEqual([
      [SMALL_TABLE, 'write'],
      [['TableReadProvisionedThroughputExceeded'], 'read'],
    ])
    expect(events.map(({ type }) => type)).toEqual(['throttled', 'throttled'])
    const [{ table, capacity, teller } = expect.fail('It was not opened.')] = openings
    expect(table).toBe('log')
    await clock.run(async () => expect(await capacity.read()).toMatchObject({ mode: 'on-demand' }))
    expect(scripted.requests.map(({ input }) => input.TableName)).toEqual(['log'])
    // For throttles that it cannot prevent.
    teller.throttled(SMALL_TABLE, 'write')
    expect(events.at(-1)).toMatchObject({ type: 'table-throttled', table: 'log', access: 'write' })
  })
})

describe('the counts of a table', () => {
  it('are those of its card, and end with the client', () => {
    const { opened, destroyed } = setUp()
    const [opening] = opened
    expect(opening?.hasCard).toBe(true)
    expect(opening?.signal.aborted).toBe(false)
    destroyed.abort()
    expect(opening?.signal.aborted).toBe(true)
  })

  it('know the heat of writes and, once it was read, of reads', () => {
    const { opened, scaling } = setUp()
    const [opening] = opened
    scaling.offered(KEY, 5)
    expect(opening?.heat.report(KEY)).toMatchObject({ offeredUnits: 5 })
    expect(opening?.readHeat()).toBeUndefined()
    scaling.reads.answered(KEY, 3, { wasThrottled: false, shards: 1, spread: undefined })
    expect(opening?.readHeat()?.report(KEY)).toMatchObject({ offeredUnits: 3 })
  })

  it('report what fails in the background', () => {
    const { clock, opened, events } = setUp()
    opened[0]?.onFailed('change-count', DENIED)
    expect(events).toEqual([
      { type: 'failed', table: 'log', task: 'change-count', error: DENIED, at: clock.now() },
    ])
  })

  it('are those of the views, of shards by hand, and of a migration', () => {
    const byHand = {} as never
    const migratable = {} as never
    const { scaling } = setUp({
      counts: { byHand: (key) => (key === KEY ? byHand : undefined), migratable },
    })
    expect(scaling.views.known(KEY)).toBe(4)
    expect(scaling.byHand(KEY)).toBe(byHand)
    expect(scaling.byHand({ S: 'other' } as LogicalKey)).toBeUndefined()
    expect(scaling.migratable).toBe(migratable)
  })
})

it('the hottest keys of a table are those of its writes, and of its reads, with their shards', () => {
  const { clock, scaling } = setUp()
  scaling.offered(KEY, 5)
  scaling.offered({ S: 'unread' } as LogicalKey, 1)
  const heat = scaling.hottest(1)
  expect(heat).toMatchObject({ table: 'log', at: clock.now(), keys: [{ logicalKey: 'k', shards: 4 }] })
  expect(heat).not.toHaveProperty('reads')
  expect(scaling.hottest(2).keys[1]).toMatchObject({ logicalKey: 'unread', shards: undefined })
  scaling.reads.answered(KEY, 3, { wasThrottled: false, shards: 1, spread: undefined })
  expect(scaling.hottest(1).reads?.keys).toEqual([
    expect.objectContaining({ logicalKey: 'k', shards: 4, offeredUnitsPerSecond: 0.6 }),
  ])
})
