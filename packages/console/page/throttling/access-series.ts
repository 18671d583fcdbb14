import type { HeatMap } from '../../src/api/heat-map'

/** A line of a chart, with a value for each column. */
export interface AccessSeries {
  readonly name: string
  readonly kind: 'accepted' | 'throttled'
  readonly values: number[]
  /** Of the whole span. */
  readonly total: number
}

/** The accepted units of one kind of access, and its throttled requests by reason. */
export function accessSeries(
  { totals, seconds }: HeatMap,
  access: 'read' | 'write',
): readonly AccessSeries[] {
  const word = access === 'read' ? 'Read' : 'Write'
  const reasons = Object.entries(totals.throttles).filter(([reason]) => reason.includes(word))
  const series = (name: string, kind: AccessSeries['kind'], values: readonly number[]): AccessSeries => {
    const total = seconds * values.reduce((sum, value) => sum + value, 0)
    return { name, kind, values: [...values], total }
  }
  return [
    series('accepted units', 'accepted', access === 'read' ? totals.reads : totals.writes),
    ...reasons
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([reason, values]) => series(reason, 'throttled', values)),
  ]
}
