import { chartDocument } from '../chart/chart-document.js'
import {
  axisEnd,
  bySecond,
  drawPlot,
  type Plot,
  type PlotLine,
  type Point,
  withThousands,
} from '../chart/plot.js'
import { element, label } from '../chart/svg.js'
import { perCent } from './per-cent.js'
import type { HotFileReport, StrategyReport } from './report.js'
import { rampEndSeconds, totalSeconds } from './workload-parameters.js'

const HEADER_HEIGHT = 92
const PANEL_WIDTH = 340
const PANEL_GAP = 28
const LEFT = 92
const RIGHT = 28
const BOTTOM = 44
const ROW_GAP = 30
/** Below the panel's name and its two figures. */
const FIRST_ROW = HEADER_HEIGHT + 56
const UNITS_OF_ONE_PARTITION = 1_000
const BYTES_OF_ONE_UNIT = 1_024

/** A row of plots, one in each panel, with one scale, so that only the data differ between the panels. */
interface Row {
  readonly title: readonly string[]
  readonly top: number
  readonly height: number
  readonly maxValue: number
  readonly limit?: Plot['limit']
  lines(run: StrategyReport): readonly PlotLine[]
}

/**
 * Draws a run: a panel for each strategy, with writes, throttled attempts and shards over time. The chart is readable
 * in light and dark mode, and has a title and a description for screen readers.
 *
 * @returns an SVG document, the same text for the same report on every machine
 */
export function drawHotFileChart(report: HotFileReport): string {
  const rows = rowsOf(report)
  const lastRow = rows.at(-1)
  const height = (lastRow === undefined ? 0 : lastRow.top + lastRow.height) + BOTTOM
  const width = LEFT + RIGHT + report.runs.length * (PANEL_WIDTH + PANEL_GAP) - PANEL_GAP
  return chartDocument(
    {
      width,
      height,
      title: titleOf(report),
      description: report.runs.map(descriptionOf).join(' '),
    },
    ...drawHeader(report),
    ...rows.flatMap((row) => drawRowTitle(row)),
    ...report.runs.map((run, index) => drawPanel(report, run, index, rows)),
  )
}

function rowsOf(report: HotFileReport): readonly Row[] {
  const highest = (values: (run: StrategyReport) => readonly number[]) =>
    axisEnd(Math.max(1, ...report.runs.flatMap((run) => values(run))))
  const writes: Row = {
    title: ['writes/s'],
    top: FIRST_ROW,
    height: 190,
    maxValue: highest(({ series }) => [...series.offered, ...series.accepted]),
    limit: limitOf(report),
    lines: ({ series }) => [
      { kind: 'offered', points: bySecond(series.offered) },
      { kind: 'accepted', points: bySecond(series.accepted), isFilled: true },
    ],
  }
  const throttled: Row = {
    title: ['throttled', 'attempts/s'],
    top: writes.top + writes.height + ROW_GAP,
    height: 110,
    maxValue: highest(({ series }) => series.throttled),
    lines: ({ series }) => [{ kind: 'throttled', points: bySecond(series.throttled), isFilled: true }],
  }
  const shards: Row = {
    title: ['shards of', 'the file'],
    top: throttled.top + throttled.height + ROW_GAP,
    height: 80,
    maxValue: highest(({ series }) => series.shards),
    lines: (run) => [
      { kind: 'shards', points: shardSteps(run, totalSeconds(report.workload)), isStepped: true },
    ],
  }
  return [writes, throttled, shards]
}

/** As long as an item fits into one unit, writes are units and the limit can be drawn. */
function limitOf({ workload }: HotFileReport): Plot['limit'] {
  if (workload.itemBytes > BYTES_OF_ONE_UNIT) return undefined
  return { value: UNITS_OF_ONE_PARTITION, text: '1 partition' }
}

function drawHeader(report: HotFileReport): readonly string[] {
  const { workload } = report
  const load =
    `Offered to each: ${withThousands(workload.baseWritesPerSecond)} writes/s of a real access log; on top, for one file, ` +
    `a ramp of ${workload.rampSeconds} s (shaded) to ${withThousands(workload.viralWritesPerSecond)} writes/s.`
  return [
    label(titleOf(report), LEFT, 36, { class: 'heading' }),
    label(load, LEFT, 58, { class: 'muted' }),
    ...drawKey(LEFT, 78),
  ]
}

function drawKey(left: number, y: number): readonly string[] {
  const entries = [
    ['offered', 'offered'],
    ['accepted', 'accepted (acknowledged)'],
    ['throttled', 'throttled attempts'],
    ['shards', 'shards'],
  ] as const
  const widths = [90, 196, 156, 60]
  return entries.flatMap(([kind, text], index) => {
    const x = left + widths.slice(0, index).reduce((sum, width) => sum + width, 0)
    return [
      element('path', { class: `line ${kind}`, d: `M${x},${y - 4}h22` }),
      label(text, x + 28, y, { class: 'muted' }),
    ]
  })
}

function drawRowTitle({ title, top, height }: Row): readonly string[] {
  const middle = top + height / 2
  const attributes = { class: 'muted', 'text-anchor': 'middle' }
  return title.map((text, index) =>
    label(text, 0, 0, {
      ...attributes,
      transform: `translate(${22 + index * 15} ${middle}) rotate(-90)`,
    }),
  )
}

function drawPanel(report: HotFileReport, run: StrategyReport, index: number, rows: readonly Row[]): string {
  const left = LEFT + index * (PANEL_WIDTH + PANEL_GAP)
  const plots = rows.map(({ title, lines, ...row }, at) =>
    drawPlot({
      ...row,
      left,
      width: PANEL_WIDTH,
      seconds: totalSeconds(report.workload),
      hasValues: index === 0,
      hasTimes: at === rows.length - 1,
      band: [report.workload.calmSeconds, rampEndSeconds(report.workload)],
      lines: lines(run),
    }),
  )
  return element(
    'g',
    {},
    label(run.title, left, HEADER_HEIGHT + 24, { class: 'panel' }),
    label(figuresOf(run), left, HEADER_HEIGHT + 43, { class: 'figure' }),
    ...plots,
  )
}

function titleOf({ viralPath }: HotFileReport): string {
  return `One file goes viral: ${shortened(viralPath)}`
}

/** A path of a log can be longer than a line. */
function shortened(path: string): string {
  return path.length <= MAX_PATH ? path : `${path.slice(0, MAX_PATH - 1)}…`
}
const MAX_PATH = 80

function figuresOf(run: StrategyReport): string {
  const accepted = withThousands(Math.round(run.acceptedPerSecond))
  return `${accepted} accepted/s, ${perCent(run.throttledShareAfterRamp)} throttled after the ramp`
}

function descriptionOf(run: StrategyReport): string {
  return `${run.title}: ${figuresOf(run)}; ${run.shardsFinal} shards at the end.`
}

function shardSteps({ shardChanges, shardsFinal }: StrategyReport, seconds: number): readonly Point[] {
  const changes = shardChanges.filter(({ atSeconds }) => atSeconds <= seconds)
  return [
    ...changes.map(({ atSeconds, shards }): Point => [atSeconds, shards]),
    [seconds, changes.at(-1)?.shards ?? shardsFinal],
  ]
}
