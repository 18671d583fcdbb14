import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import { describe, expect, it, vi } from 'vitest'
import type { IsothermEvent } from '../events/event.js'
import type { TableHeat } from '../scaling/sensing/table-heat.js'
import { openTelemetryMetrics } from './opentelemetry-metrics.js'

/** Collects when the test requests it. It exports nothing and uses no timer. */
class ReaderOnDemand extends MetricReader {
  protected async onForceFlush(): Promise<void> {}
  protected async onShutdown(): Promise<void> {}
}

function setUp(hottestKeys = 1) {
  const reader = new ReaderOnDemand()
  const provider = new MeterProvider({ readers: [reader] })
  const meter = provider.getMeter('isotherm')
  const metrics = openTelemetryMetrics({ meter, hottestKeys })
  const series = async () => {
    const { resourceMetrics, errors } = await reader.collect()
    expect(errors).toEqual([])
    const collected = resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics)
    return collected.flatMap(({ descriptor, dataPoints }) =>
      dataPoints.map(({ attributes, value }) => ({ name: descriptor.name, attributes, value })),
    )
  }
  return { metrics, series, provider }
}

const table = 'log'
const ofLog = { 'db.system.name': 'aws.dynamodb', 'db.collection.name': 'log' }
const throttled = (scope: 'partition' | 'table', logicalKey: string): IsothermEvent => ({
  type: 'throttled',
  table,
  logicalKey,
  shard: 1,
  attempt: 1,
  scope,
  reasons: [],
  at: 0,
})
const scaled = (from: number, to: number): IsothermEvent => ({
  type: 'scaled',
  table,
  logicalKey: 'k',
  from,
  to,
  reason: 'hot',
  at: 0,
})

const key = (logicalKey: string, offeredUnitsPerSecond: number, shards?: number) => ({
  logicalKey,
  shards,
  recentUnits: 5 * offeredUnitsPerSecond,
  recentUnitsError: 0,
  offeredUnitsPerSecond,
  acceptedUnitsPerSecond: offeredUnitsPerSecond,
  throttledUnitsPerSecond: 3,
})
const heatOf = (...keys: TableHeat['keys']) => ({
  heat: ({ top = 10 } = {}) => [{ table, at: 0, keys: keys.slice(0, top), otherKeysAtMost: 0 }],
})

describe('metrics for OpenTelemetry', () => {
  it('count throttled writes by scope, for any number of keys', async () => {
    const { metrics, series } = setUp()
    for (let number = 0; number < 500; number++) metrics.onEvent(throttled('partition', `key ${number}`))
    metrics.onEvent(throttled('table', 'key'))
    const found = (await series()).filter(({ name }) => name === 'isotherm.throttled_writes')
    expect(found).toEqual([
      {
        name: 'isotherm.throttled_writes',
        attributes: { ...ofLog, 'isotherm.throttle.scope': 'partition' },
        value: 500,
      },
      {
        name: 'isotherm.throttled_writes',
        attributes: { ...ofLog, 'isotherm.throttle.scope': 'table' },
        value: 1,
      },
    ])
  })

  it('count throttled reads by themselves, scans included', async () => {
    const { metrics, series } = setUp()
    metrics.onEvent({ ...throttled('partition', 'key'), access: 'read' } as IsothermEvent)
    metrics.onEvent({ type: 'scan-throttled', table, attempt: 1, scope: 'partition', reasons: [], at: 0 })
    const found = (await series()).filter(({ name }) => name.startsWith('isotherm.throttled'))
    const attributes = { ...ofLog, 'isotherm.throttle.scope': 'partition' }
    expect(found).toEqual([{ name: 'isotherm.throttled_reads', attributes, value: 2 }])
  })

  it('show the keys that are hottest by reads, by rank', async () => {
    const { metrics, series } = setUp(2)
    const reads = { keys: [key('a', 500), key('b', 20)], otherKeysAtMost: 0 }
    metrics.observe({ heat: () => [{ table, at: 0, keys: [], otherKeysAtMost: 0, reads }] })
    const at = (rank: number) => ({ ...ofLog, 'isotherm.key.rank': rank })
    const of = (name: string) => `isotherm.hottest_key.${name}`
    expect(await series()).toEqual([
      { name: of('offered_reads'), attributes: at(1), value: 500 },
      { name: of('offered_reads'), attributes: at(2), value: 20 },
      { name: of('throttled_reads'), attributes: at(1), value: 3 },
      { name: of('throttled_reads'), attributes: at(2), value: 3 },
    ])
  })

  it('count changes of shard counts by direction, with the new counts', async () => {
    const { metrics, series } = setUp()
    metrics.onEvent(scaled(1, 2))
    metrics.onEvent(scaled(2, 24))
    metrics.onEvent(scaled(24, 12))
    const found = await series()
    const scalings = found.filter(({ name }) => name === 'isotherm.scalings')
    expect(scalings.map(({ attributes, value }) => [attributes['isotherm.direction'], value])).toEqual([
      ['up', 2],
      ['down', 1],
    ])
    expect(found.find(({ name }) => name === 'isotherm.shard_count')).toMatchObject({
      attributes: ofLog,
      value: { count: 3, sum: 38, min: 2, max: 24 },
    })
  })

  it('count failures by task, and every event by its type', async () => {
    const { metrics, series } = setUp()
    metrics.onEvent({ type: 'failed', table, task: 'scale', error: new Error('x'), at: 0 })
    metrics.onEvent({ type: 'table-throttled', table, reasons: [], at: 0 })
    const found = await series()
    expect(found).toContainEqual({
      name: 'isotherm.failures',
      attributes: { ...ofLog, 'isotherm.task': 'scale' },
      value: 1,
    })
    const events = found.filter(({ name }) => name === 'isotherm.events')
    expect(events.map(({ attributes }) => attributes['isotherm.event.type'])).toEqual([
      'failed',
      'table-throttled',
    ])
  })

  it("show the heat of a table's hottest key without its name, until observation ends", async () => {
    const { metrics, series } = setUp()
    const db = heatOf(key('secret', 40, 6), key('next', 30, 2))
    const heat = vi.spyOn(db, 'heat')
    const stop = metrics.observe(db)
    const attributes = { ...ofLog, 'isotherm.key.rank': 1 }
    expect(await series()).toEqual([
      { name: 'isotherm.hottest_key.offered', attributes, value: 40 },
      { name: 'isotherm.hottest_key.throttled', attributes, value: 3 },
      { name: 'isotherm.hottest_key.shards', attributes, value: 6 },
    ])
    stop()
    await series()
    expect(heat).toHaveBeenCalledOnce()
  })

  it('show the requested number of hottest keys, by rank', async () => {
    const { metrics, series } = setUp(2)
    metrics.observe(heatOf(key('a', 40), key('b', 30), key('c', 20)))
    const offered = (await series()).filter(({ name }) => name === 'isotherm.hottest_key.offered')
    expect(offered.map(({ attributes, value }) => [attributes['isotherm.key.rank'], value])).toEqual([
      [1, 40],
      [2, 30],
    ])
  })

  it('do nothing when no SDK is registered', () => {
    const metrics = openTelemetryMetrics()
    metrics.onEvent(scaled(1, 2))
    metrics.observe(heatOf(key('a', 40)))()
  })

  it.each([{ hottestKeys: 101 }, { keys: 1 }])('reject %j', (options) => {
    expect(() => openTelemetryMetrics(options)).toThrow(/^openTelemetryMetrics\./)
  })
})
