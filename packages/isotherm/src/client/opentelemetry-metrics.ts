import { type Attributes, type Meter, metrics } from '@opentelemetry/api'
import type { IsothermEvent, ThrottleScope } from '../events/event.js'
import { refuseUnknown, requireInteger } from '../options/check.js'
import type { IsothermMethods } from './isotherm-methods.js'

/** Options of `openTelemetryMetrics`. */
export interface OpenTelemetryMetricsOptions {
  /** The meter. The default is the meter `isotherm` of the global meter provider at the time of the call. */
  readonly meter?: Meter | undefined
  /**
   * How many of each table's hottest keys the gauges of `observe` report, 1 to 100. Each is a series with its rank in
   * the attribute `isotherm.key.rank`. The default is 1. The keys themselves are available from `db.heat()`. They are
   * not attributes, because they would create unlimited series and may be personal data.
   */
  readonly hottestKeys?: number | undefined
}

/** The metrics of one process. */
export interface OpenTelemetryMetrics {
  /** Counts an event. Pass it as the option `onEvent` of `isotherm`. */
  readonly onEvent: (event: IsothermEvent) => void
  /** Reads `db.heat()` at each collection. @returns a function that stops it */
  observe(db: Pick<IsothermMethods, 'heat'>): () => void
}

/** An event, narrowed by its type. */
type EventOf<Type extends IsothermEvent['type']> = Extract<IsothermEvent, { readonly type: Type }>
type Counters = { readonly [Type in IsothermEvent['type']]?: (event: EventOf<Type>) => void }

/** Shard counts grow in steps and doublings, up to the limit of a thousand per key. */
const SHARD_COUNT_BOUNDARIES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 200, 400, 1_000]

/**
 * Creates OpenTelemetry metrics from the events of a client and from its `heat()`. The attributes are few and bounded:
 * the table, the scope of a throttle, the direction of a change, and the failed task. They never contain a logical key.
 *
 * This is a separate entry, so that `isotherm` itself does not need `@opentelemetry/api`.
 *
 * Source: https://opentelemetry.io/docs/specs/semconv/db/dynamodb/ for the attribute of the table
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example
 * const metrics = openTelemetryMetrics()
 * const db = isotherm(client, { tables, onEvent: metrics.onEvent })
 * metrics.observe(db)
 */
export function openTelemetryMetrics(options: OpenTelemetryMetricsOptions = {}): OpenTelemetryMetrics {
  refuseUnknown('openTelemetryMetrics', options, ['meter', 'hottestKeys'])
  const meter = options.meter ?? metrics.getMeter('isotherm')
  const hottestKeys = requireInteger('openTelemetryMetrics.hottestKeys', options.hottestKeys ?? 1, 1, 100)
  return { onEvent: eventCounter(meter), observe: (db) => observeHeat(meter, db, hottestKeys) }
}

function eventCounter(meter: Meter): (event: IsothermEvent) => void {
  const events = meter.createCounter('isotherm.events', {
    unit: '{event}',
    description: 'Events of the library, by type',
  })
  const counters = countersOf(meter)
  return (event) => {
    events.add(1, { ...of(event.table), 'isotherm.event.type': event.type })
    const count = counters[event.type] as ((event: IsothermEvent) => void) | undefined
    count?.(event)
  }
}

function countersOf(meter: Meter): Counters {
  const throttledWrites = meter.createCounter('isotherm.throttled_writes', {
    unit: '{attempt}',
    description: 'Attempts to write that were refused, by where the refusal came from',
  })
  const throttledReads = meter.createCounter('isotherm.throttled_reads', {
    unit: '{attempt}',
    description: 'Attempts to read that were throttled, by the resource that throttled them',
  })
  const scalings = meter.createCounter('isotherm.scalings', {
    unit: '{change}',
    description: 'Changes of the shard count of a key by this process',
  })
  const shardCount = meter.createHistogram('isotherm.shard_count', {
    unit: '{shard}',
    description: 'The shard count that a key was given at a change',
    advice: { explicitBucketBoundaries: SHARD_COUNT_BOUNDARIES },
  })
  const failures = meter.createCounter('isotherm.failures', {
    unit: '{failure}',
    description: 'Work in the background that did not succeed',
  })
  return {
    throttled: ({ table, scope, access }) =>
      (access === 'read' ? throttledReads : throttledWrites).add(1, throttleOf(table, scope)),
    'scan-throttled': ({ table, scope }) => throttledReads.add(1, throttleOf(table, scope)),
    scaled: ({ table, from, to }) => {
      scalings.add(1, { ...of(table), 'isotherm.direction': to > from ? 'up' : 'down' })
      shardCount.record(to, of(table))
    },
    failed: ({ table, task }) => failures.add(1, { ...of(table), 'isotherm.task': task }),
  }
}

function observeHeat(meter: Meter, db: Pick<IsothermMethods, 'heat'>, hottestKeys: number): () => void {
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(`isotherm.hottest_key.${name}`, { unit, description })
  const offered = gauge('offered', '{write_unit}/s', 'What the application asks to write to a hottest key')
  const throttled = gauge('throttled', '{write_unit}/s', 'What a hot partition refuses of a hottest key')
  const shards = gauge('shards', '{shard}', 'Shards of a hottest key')
  const offeredReads = gauge(
    'offered_reads',
    '{read_unit}/s',
    'Read units that a key hottest by reads is asked for',
  )
  const throttledReads = gauge(
    'throttled_reads',
    '{read_unit}/s',
    'Read units of it that a hot partition throttles',
  )
  const observables = [offered, throttled, shards, offeredReads, throttledReads]
  const callback: Parameters<Meter['addBatchObservableCallback']>[0] = (result) => {
    for (const { table, index: indexName, keys, reads } of db.heat({ top: hottestKeys })) {
      const source = indexName === undefined ? of(table) : { ...of(table), 'isotherm.index': indexName }
      for (const [index, key] of keys.entries()) {
        const attributes = { ...source, 'isotherm.key.rank': index + 1 }
        result.observe(offered, key.offeredUnitsPerSecond, attributes)
        result.observe(throttled, key.throttledUnitsPerSecond, attributes)
        if (key.shards !== undefined) result.observe(shards, key.shards, attributes)
      }
      for (const [index, key] of (reads?.keys ?? []).entries()) {
        const attributes = { ...of(table), 'isotherm.key.rank': index + 1 }
        result.observe(offeredReads, key.offeredUnitsPerSecond, attributes)
        result.observe(throttledReads, key.throttledUnitsPerSecond, attributes)
      }
    }
  }
  meter.addBatchObservableCallback(callback, observables)
  return () => meter.removeBatchObservableCallback(callback, observables)
}

function throttleOf(table: string, scope: ThrottleScope): Attributes {
  return { ...of(table), 'isotherm.throttle.scope': scope }
}

function of(table: string): Attributes {
  return { 'db.system.name': 'aws.dynamodb', 'db.collection.name': table }
}
