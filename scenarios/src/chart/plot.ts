import { type ScaleLinear, scaleLinear } from 'd3-scale'
import { area, curveStepAfter, line } from 'd3-shape'
import { element, label } from './svg.js'

/** A point of a plot: a time and a value. */
export type Point = readonly [seconds: number, value: number]

/** A line of a plot; `kind` is the class that sets its colour. */
export interface PlotLine {
  readonly kind: string
  readonly points: readonly Point[]
  readonly isStepped?: boolean
  readonly isFilled?: boolean
}

/** A rectangle in which lines are drawn over time. */
export interface Plot {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly seconds: number
  readonly maxValue: number
  /** Whether values are printed beside the vertical axis; plots of a row share one. */
  readonly hasValues: boolean
  /** Whether times are printed under the horizontal axis; plots of a column share one. */
  readonly hasTimes: boolean
  /** A stretch of time in another shade. */
  readonly band: readonly [from: number, to: number]
  readonly limit?: { readonly value: number; readonly text: string } | undefined
  readonly lines: readonly PlotLine[]
}

const DIGITS = 2
/** Pixels that a label needs, so that ticks never touch. */
const TICK_HEIGHT = 28
const TICK_WIDTH = 55

/** Draws a plot: band, grid, limit, lines, axes, in this order, so that data is on top. */
export function drawPlot(plot: Plot): string {
  const { left, top, width, height } = plot
  const x = scaleLinear([0, plot.seconds], [left, left + width])
  const y = scaleLinear([0, plot.maxValue], [top + height, top])
  return element(
    'g',
    {},
    drawBand(plot, x),
    ...drawValues(plot, y),
    ...(plot.hasTimes ? drawTimes(plot, x) : []),
    ...drawLimit(plot, y),
    ...plot.lines.flatMap((each) => drawLine(each, x, y)),
    element('path', { class: 'axis', d: `M${left},${top + height}h${width}` }),
  )
}

type Scale = ScaleLinear<number, number>

function drawBand({ band, top, height }: Plot, x: Scale): string {
  const [from, to] = band
  return element('rect', { class: 'band', x: x(from), y: top, width: x(to) - x(from), height })
}

function drawValues({ left, width, height, hasValues }: Plot, y: Scale): string[] {
  const ticks = y.ticks(Math.max(1, Math.floor(height / TICK_HEIGHT))).filter(Number.isInteger)
  return ticks.flatMap((value) => {
    const grid = element('path', { class: 'grid', d: `M${left},${y(value).toFixed(DIGITS)}h${width}` })
    if (!hasValues) return [grid]
    return [
      grid,
      label(withThousands(value), left - 8, y(value) + 4, { class: 'muted', 'text-anchor': 'end' }),
    ]
  })
}

function drawTimes({ top, width, height, seconds }: Plot, x: Scale): string[] {
  return x.ticks(Math.floor(width / TICK_WIDTH)).map((at) =>
    label(`${at} s`, x(at), top + height + 18, {
      class: 'muted',
      // The outermost labels stay inside the plot; otherwise those of two panels would overlap.
      'text-anchor': at === 0 ? 'start' : at === seconds ? 'end' : 'middle',
    }),
  )
}

function drawLimit({ left, width, limit }: Plot, y: Scale): string[] {
  if (limit === undefined) return []
  const at = y(limit.value)
  return [
    element('path', { class: 'limit', d: `M${left},${at.toFixed(DIGITS)}h${width}` }),
    label(limit.text, left + 6, at - 6, { class: 'muted' }),
  ]
}

function drawLine(
  { kind, points, isStepped = false, isFilled = false }: PlotLine,
  x: Scale,
  y: Scale,
): string[] {
  const stroke = line<Point>()
    .digits(DIGITS)
    .x(([seconds]) => x(seconds))
    .y(([, value]) => y(value))
  const fill = area<Point>()
    .digits(DIGITS)
    .x(([seconds]) => x(seconds))
    .y0(y(0))
    .y1(([, value]) => y(value))
  if (isStepped) stroke.curve(curveStepAfter)
  const drawn = element('path', { class: `line ${kind}`, d: stroke(points) ?? '' })
  return isFilled ? [element('path', { class: `area ${kind}`, d: fill(points) ?? '' }), drawn] : [drawn]
}

/** The values as points: a second's figure is drawn at the middle of the second. */
export function bySecond(values: readonly number[]): readonly Point[] {
  return values.map((value, second) => [second + 0.5, value])
}

/** `2,000` in every locale: charts of one run are the same everywhere. */
export function withThousands(value: number): string {
  return value.toLocaleString('en-US')
}

/** The smallest round number that is not below the value, so that an axis ends with a tick. */
export function axisEnd(value: number): number {
  return (
    scaleLinear([0, Math.max(1, value)], [0, 1])
      .nice(4)
      .domain()[1] ?? 1
  )
}
