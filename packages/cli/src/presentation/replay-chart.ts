import type { ReplaySeries } from '@isotherm/local'
import { axisEnd, chartDocument, drawPlot, element, label, withThousands } from '@isotherm/scenarios'

/** One run of a chart. */
export interface ChartedReplay {
  readonly name: string
  readonly series: ReplaySeries
}

const WIDTH = 760
const LEFT = 72
const TOP = 84
const PANEL = { width: WIDTH - LEFT - 28, height: 120, gap: 46 }

/** Offered and accepted requests a second, a panel for each run, as SVG. */
export function replayChart(title: string, runs: readonly ChartedReplay[]): string {
  const maxValue = axisEnd(Math.max(1, ...runs.flatMap(({ series }) => series.offered)))
  const height = TOP + runs.length * (PANEL.height + PANEL.gap)
  return chartDocument(
    { width: WIDTH, height, title, description: runs.map(descriptionOf).join(' ') },
    label(title, LEFT, 30, { class: 'heading' }),
    ...key(),
    ...runs.flatMap((run, index) => panel(run, TOP + index * (PANEL.height + PANEL.gap), maxValue)),
  )
}

function panel({ name, series }: ChartedReplay, top: number, maxValue: number): readonly string[] {
  const { stepSeconds, offered, throttled } = series
  const points = (values: readonly number[]) =>
    values.map((value, step): [number, number] => [(step + 0.5) * stepSeconds, value])
  return [
    label(name, LEFT, top - 6, {}),
    drawPlot({
      left: LEFT,
      top,
      width: PANEL.width,
      height: PANEL.height,
      seconds: Math.max(1, offered.length * stepSeconds),
      maxValue,
      hasValues: true,
      hasTimes: true,
      band: [0, 0],
      lines: [
        { kind: 'offered', points: points(offered) },
        {
          kind: 'accepted',
          points: points(offered.map((value, step) => value - (throttled[step] ?? 0))),
          isFilled: true,
        },
      ],
    }),
  ]
}

function key(): readonly string[] {
  return (['offered', 'accepted'] as const).flatMap((kind, index) => {
    const x = LEFT + index * 110
    const text = kind === 'offered' ? 'offered' : 'not throttled, requests/s'
    return [
      element('path', { class: `line ${kind}`, d: `M${x},50h22` }),
      label(text, x + 28, 54, { class: 'muted' }),
    ]
  })
}

function descriptionOf({ name, series }: ChartedReplay): string {
  const sum = (values: readonly number[]) =>
    Math.round(values.reduce((total, value) => total + value, 0) * series.stepSeconds)
  return `${name}: ${withThousands(sum(series.offered))} requests, ${withThousands(sum(series.throttled))} throttled.`
}
