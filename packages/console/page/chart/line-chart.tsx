import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { timeSteps } from '../../src/heat-map/time-steps'
import { figure } from '../format/figures'
import { theme } from '../state/theme'

/** A chart has this share of the window, and at least so many pixels. */
const HEIGHT_SHARE = 0.26
const LEAST_HEIGHT = 220
/** Times that are at least this far apart do not touch. */
const TIME_PIXELS = 90
const LEAST_TOP = 10

/** A line, with a value for each time. */
export interface Line {
  readonly name: string
  /** The name of a colour of the style sheet, such as `--hot`. */
  readonly colour: string
  readonly values: readonly (number | null)[]
  readonly isDashed?: boolean
  /** After a value, such as `/s`. */
  readonly unit: string
}

interface LineChartProps {
  readonly title: string
  /** In seconds, increasing. */
  readonly times: readonly number[]
  readonly lines: readonly Line[]
  readonly timeText: (seconds: number) => string
  /** The top of the scale, where charts beside each other share it. */
  readonly most?: number
  /** What a screen reader reads in place of the lines. */
  readonly summary: string
}

/** Lines over time. */
export function LineChart({ title, times, lines, timeText, most, summary }: LineChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | undefined>(undefined)
  const names = lines.map(({ name, colour }) => `${name} ${colour}`).join()
  const data = [[...times], ...lines.map(({ values }) => [...values])] as uPlot.AlignedData
  const currentTheme = theme.value
  // The chart is made once for its lines, and must write times as the newest data has them.
  const newest = useRef({ times, timeText })
  newest.current = { times, timeText }
  useEffect(() => {
    const element = place.current
    if (element === null) return
    chart.current = new uPlot(
      optionsOf(lines, most, element.clientWidth, {
        text: (at) => newest.current.timeText(at),
        steps: () => timeSteps(newest.current.times),
      }),
      data,
      element,
    )
    const observer = new ResizeObserver(() =>
      chart.current?.setSize({ width: element.clientWidth, height: heightNow() }),
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.current?.destroy()
    }
    // Other values need no new chart.
  }, [names, currentTheme, most])
  useEffect(() => chart.current?.setData(data), [times, lines, names, currentTheme])
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <p class="unseen">{summary}</p>
      <div ref={place} class="chart" aria-hidden="true" />
    </section>
  )
}

function heightNow(): number {
  return Math.max(LEAST_HEIGHT, Math.round(HEIGHT_SHARE * innerHeight))
}

function optionsOf(
  lines: readonly Line[],
  most: number | undefined,
  width: number,
  time: { readonly text: (seconds: number) => string; readonly steps: () => number[] },
): uPlot.Options {
  const styles = getComputedStyle(document.documentElement)
  const colourOf = (name: string) => styles.getPropertyValue(name).trim()
  const line = { stroke: colourOf('--grid'), width: 1 }
  // A canvas has no sizes that are relative to those of the page.
  const font = `${0.857 * Number.parseFloat(styles.fontSize)}px ${styles.fontFamily}`
  const axis = { stroke: colourOf('--soft'), grid: line, ticks: line, font }
  return {
    width,
    height: heightNow(),
    series: [
      { label: 'Time', value: (_: uPlot, at: number | null) => (at === null ? '' : time.text(at)) },
      ...lines.map(({ name, colour, isDashed, unit }) => ({
        label: name,
        stroke: colourOf(colour),
        width: 2,
        ...(isDashed ? { dash: [5, 4] } : {}),
        points: { show: false },
        value: (_: uPlot, value: number | null) => (value === null ? '' : `${figure(value)}${unit}`),
      })),
    ],
    axes: [
      {
        ...axis,
        space: TIME_PIXELS,
        incrs: time.steps,
        values: (_: uPlot, splits: number[]) => splits.map(time.text),
      },
      { ...axis, size: 60, values: (_: uPlot, splits: number[]) => splits.map(figure) },
    ],
    scales: {
      x: { time: false },
      y: { range: (_: uPlot, _least: number, top: number) => [0, Math.max(LEAST_TOP, (most ?? top) * 1.1)] },
    },
  }
}
