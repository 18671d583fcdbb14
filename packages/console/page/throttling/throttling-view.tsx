import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { HeatMap } from '../../src/api/heat-map'
import { clockTime, dayTime, figure } from '../format/figures'
import { theme } from '../state/theme'
import { type AccessSeries, accessSeries } from './access-series'

const HEIGHT = 220
/** Times that are at least this far apart do not touch. */
const TIME_PIXELS = 90

/** Accepted units and throttled requests over time, reads and writes apart, throttles by their reason. */
export function ThrottlingView({ of }: { readonly of: HeatMap }) {
  return (
    <div class="throttling">
      {(['write', 'read'] as const).map((access) => (
        <AccessChart key={access} of={of} series={accessSeries(of, access)} title={TITLES[access]} />
      ))}
      <p class="hint">
        Accepted: capacity units a second. Throttled: requests a second, by the reason that DynamoDB gives.
        KeyRange means one partition: shard the hot key. Provisioned, MaxOnDemand and Account mean the whole
        table or index: raise its capacity.
      </p>
    </div>
  )
}

const TITLES = { write: 'Writes', read: 'Reads' } as const

interface ChartProps {
  readonly of: HeatMap
  readonly series: readonly AccessSeries[]
  readonly title: string
}

function AccessChart({ of, series, title }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const names = series.map(({ name }) => name).join()
  const chart = useRef<uPlot | undefined>(undefined)
  const { from, seconds, columns } = of
  const times = Array.from({ length: columns }, (_, column) => from / 1_000 + column * seconds)
  const data = [times, ...series.map(({ values }) => values)] as uPlot.AlignedData
  const currentTheme = theme.value
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const styles = getComputedStyle(document.documentElement)
    const colour = (name: string) => styles.getPropertyValue(name).trim()
    const line = { stroke: colour('--line'), width: 1 }
    const axis = { stroke: colour('--soft'), grid: line, ticks: line }
    chart.current = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        series: [
          {
            label: 'Time',
            value: (_: uPlot, at: number | null) => (at === null ? '' : timeText(of, at * 1_000)),
          },
          ...series.map(({ name, kind }, at) => ({
            label: name,
            stroke:
              kind === 'accepted' ? colour('--accent') : colour(THROTTLED[at % THROTTLED.length] ?? '--hot'),
            width: 2,
            points: { show: false },
            value: (_: uPlot, value: number | null) => (value === null ? '' : `${figure(value)}/s`),
          })),
        ],
        axes: [
          {
            ...axis,
            space: TIME_PIXELS,
            values: (_: uPlot, splits: number[]) => splits.map((at) => timeText(of, at * 1_000)),
          },
          { ...axis, size: 60, values: (_: uPlot, splits: number[]) => splits.map(figure) },
        ],
        scales: { y: { range: (_: uPlot, _least: number, most: number) => [0, Math.max(10, most * 1.1)] } },
      },
      data,
      element,
    )
    const observer = new ResizeObserver(() =>
      chart.current?.setSize({ width: element.clientWidth, height: HEIGHT }),
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.current?.destroy()
    }
    // Other values need no new chart.
  }, [names, currentTheme])
  useEffect(() => chart.current?.setData(data), [of, names, currentTheme])
  const summary = series.map(({ name, total }) => `${name}: ${figure(total)}`).join('; ')
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <p class="unseen">In the whole span: {summary}.</p>
      <div ref={place} class="chart" aria-hidden="true" />
    </section>
  )
}

function timeText({ seconds, columns }: HeatMap, at: number): string {
  return seconds * columns > 90_000 ? dayTime(at) : clockTime(at, seconds < 60)
}

/** Reasons have colours of their own, in the order in which they appear. */
const THROTTLED = ['--hot', '--hot', '--limited', '--cooled'] as const
