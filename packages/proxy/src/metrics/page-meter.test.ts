import type { Meter } from '@opentelemetry/api'
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AggregationTemporality, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import { expect, it } from 'vitest'
import { PageMeter } from './page-meter.js'

class Collected extends MetricReader {
  constructor() {
    super({ aggregationTemporalitySelector: () => AggregationTemporality.CUMULATIVE })
  }
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/** Everything that a meter can measure, and some odd values. */
function measure(meter: Meter): void {
  const counter = meter.createCounter('a.requests', {
    unit: '{request}',
    description: 'Back\\slash\nand line',
  })
  counter.add(1, { operation: 'Put"Item"', 'http.status': 200 })
  counter.add(2, { 'http.status': 200, operation: 'Put"Item"' })
  counter.add(-5, { operation: 'never' })
  counter.add(1)
  meter.createCounter('b_total').add(0.5)
  meter.createCounter('never.used')
  const open = meter.createUpDownCounter('open', { unit: 'By' })
  open.add(5, { hot: true })
  open.add(-2, { hot: true })
  meter.createGauge('depth').record(7)
  const boundaries = { advice: { explicitBucketBoundaries: [0.5, 1, 10] } }
  const seconds = meter.createHistogram('a.duration', { unit: 's', ...boundaries })
  for (const value of [0.1, 0.5, 0.75, 1, 9, 11, 1e6]) seconds.record(value, { operation: 'Get' })
  seconds.record(-1, { operation: 'negative' })
  meter.createHistogram('by.default').record(60)
  const shards = meter.createObservableGauge('shards')
  shards.addCallback((result) => result.observe(8, { key: 'one' }))
  meter.createObservableCounter('seen').addCallback(async (result) => result.observe(3))
  const [first, second] = [
    meter.createObservableGauge('first'),
    meter.createObservableUpDownCounter('second'),
  ]
  meter.addBatchObservableCallback(
    (result) => {
      result.observe(first, 1, { list: ['a', 'b'] })
      result.observe(second, Number.POSITIVE_INFINITY)
    },
    [first, second],
  )
}

it("writes the page that OpenTelemetry's exporter writes", async () => {
  const page = new PageMeter({ service: 'isotherm-proxy', scope: 'isotherm' })
  measure(page)
  const reader = new Collected()
  const resource = resourceFromAttributes({ 'service.name': 'isotherm-proxy' })
  measure(new MeterProvider({ resource, readers: [reader] }).getMeter('isotherm'))
  const { resourceMetrics } = await reader.collect()
  const blocks = (text: string) => text.trim().split(/\n(?=# HELP)/)
  const ours = blocks(await page.text())
  const theirs = blocks(new PrometheusSerializer().serialize(resourceMetrics))
  expect(ours.toSorted()).toEqual(theirs.toSorted())
  expect(ours.length).toBeGreaterThan(10)
})

it('forgets what an observable no longer reports', async () => {
  const page = new PageMeter({ service: 'proxy', scope: 'isotherm' })
  let keys = ['one', 'two']
  const gauge = page.createObservableGauge('heat')
  const observe = (result: { observe(metric: typeof gauge, value: number, attributes: object): void }) => {
    for (const key of keys) result.observe(gauge, 1, { key })
  }
  page.addBatchObservableCallback(observe as never)
  expect(await page.text()).toContain('heat{key="two"')
  keys = ['one']
  expect(await page.text()).not.toContain('heat{key="two"')
  page.removeBatchObservableCallback(observe as never)
  expect(await page.text()).not.toContain('heat')
})

it('has a limit of series for each instrument', async () => {
  const page = new PageMeter({ service: 'proxy', scope: 'isotherm' })
  const counter = page.createCounter('requests')
  for (let number = 0; number < 3_000; number++) counter.add(1, { number })
  const lines = (await page.text()).split('\n').filter((line) => line.startsWith('requests_total'))
  expect(lines).toHaveLength(2_000)
  expect(lines.at(-1)).toBe('requests_total{otel_metric_overflow="true",otel_scope_name="isotherm"} 1001')
})
