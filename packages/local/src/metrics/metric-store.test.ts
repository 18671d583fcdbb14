import { describe, expect, it } from 'vitest'
import { InsightRules } from './insight-rules.js'
import { MetricStore } from './metric-store.js'
import { DEFAULT_METRICS, type MetricsParameters } from './metrics-parameters.js'

const MINUTE = 60_000
const START = 1_800_000_000_000
const ALL = [0, Number.POSITIVE_INFINITY] as const

function storeOf(parameters: Partial<MetricsParameters>) {
  const store = new MetricStore({ ...DEFAULT_METRICS, ...parameters })
  const series = (table: string) =>
    store.series({ region: 'here', name: 'Units', dimensions: { TableName: table } })
  return { store, series }
}

describe('the store of metrics', () => {
  it('holds a point for each minute with samples, and adds late samples to their own minute', () => {
    const { series } = storeOf({})
    const units = series('things')
    units.add(1, START)
    units.add(4, START + 3 * MINUTE)
    units.add(2, START + MINUTE + 1)
    units.add(3, START + 59_999)
    units.add(5, START + 3 * MINUTE + 1)
    expect(units.points(...ALL)).toEqual([
      { at: START, count: 2, sum: 4, minimum: 1, maximum: 3 },
      { at: START + MINUTE, count: 1, sum: 2, minimum: 2, maximum: 2 },
      { at: START + 3 * MINUTE, count: 2, sum: 9, minimum: 4, maximum: 5 },
    ])
  })

  it('drops points older than the retention time', () => {
    const { store, series } = storeOf({ retentionMilliseconds: 10 * MINUTE })
    const units = series('things')
    for (let minute = 0; minute < 100; minute++) units.add(minute, START + minute * MINUTE)
    expect(units.points(...ALL).map(({ sum }) => sum)).toEqual([89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99])
    expect(store.points).toBe(11)
  })

  it('drops the oldest points of all metrics when there are too many', () => {
    const { store, series } = storeOf({ maxPoints: 100 })
    series('old').add(1, START)
    const [one, other] = [series('one'), series('other')]
    for (let minute = 1; minute < 300; minute++) {
      one.add(minute, START + minute * MINUTE)
      other.add(minute, START + minute * MINUTE)
    }
    expect(store.points).toBeLessThanOrEqual(100)
    expect([...store.all].map(({ id }) => id.dimensions.TableName)).toEqual(['one', 'other'])
    expect([...store.all].reduce((sum, { length }) => sum + length, 0)).toBe(store.points)
    expect(one.points(...ALL).at(-1)?.sum).toBe(299)
  })

  it('drops the series that was silent longest when there are too many, and can restart it', () => {
    const { store, series } = storeOf({ maxSeries: 2 })
    const first = series('a')
    first.add(1, START)
    series('b').add(1, START + MINUTE)
    series('c').add(1, START + 2 * MINUTE)
    const tables = () => [...store.all].map(({ id }) => id.dimensions.TableName)
    expect(tables()).toEqual(['b', 'c'])
    first.add(2, START + 3 * MINUTE)
    expect(tables()).toEqual(['c', 'a'])
    expect(store.points).toBe(2)
  })
})

describe('the rules of Contributor Insights', () => {
  it('drop their oldest minutes when together they hold too many keys', () => {
    const rules = new InsightRules({ ...DEFAULT_METRICS, maxContributors: 5 })
    const keys = [{ name: 'pk', type: 'S' }] as const
    const names = ['one', 'other']
    const opened = names.map((name) => rules.open('here', { name, keys, from: 0 }))
    for (let minute = 0; minute < 10; minute++) {
      for (const rule of opened) rule.record(`12345678key\u0000\u0001` as never, 1, START + minute * MINUTE)
    }
    const kept = opened.flatMap((rule) => rule.minutes(...ALL).map(({ at }) => (at - START) / MINUTE))
    expect(kept).toEqual([7, 8, 9, 6, 7, 8, 9])
  })
})
