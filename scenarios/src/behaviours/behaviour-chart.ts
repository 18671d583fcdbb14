import { chartDocument } from '../chart/chart-document.js'
import { axisEnd, bySecond, drawPlot, withThousands } from '../chart/plot.js'
import { element, label } from '../chart/svg.js'
import type { BehaviourRun } from './behaviour-run.js'

const [WIDTH, HEIGHT] = [760, 330]
const LEFT = 72
const PLOT = { left: LEFT, top: 92, width: WIDTH - LEFT - 28, height: 190 }
/** Partitions have no axis; their number is written where it changes. */
const PARTITIONS_Y = PLOT.top + PLOT.height + 38

/**
 * Draws a behaviour: the offered and the accepted load. The chart is readable in light and dark mode, and has a title
 * and a description for screen readers.
 *
 * @returns an SVG document, the same text for the same run on every machine
 */
export function drawBehaviourChart(run: BehaviourRun): string {
  return chartDocument(
    { width: WIDTH, height: HEIGHT, title: run.title, description: descriptionOf(run) },
    label(run.title, LEFT, 32, { class: 'heading' }),
    label(run.setting, LEFT, 53, { class: 'muted' }),
    ...drawKey(),
    drawPlot({
      ...PLOT,
      seconds: run.offered.length,
      maxValue: axisEnd(Math.max(...run.offered, ...run.accepted)),
      hasValues: true,
      hasTimes: true,
      band: [0, 0],
      limit: run.limit,
      lines: [
        { kind: 'offered', points: bySecond(run.offered) },
        { kind: 'accepted', points: bySecond(run.accepted), isFilled: true },
      ],
    }),
    label(partitionsText(run), LEFT, PARTITIONS_Y, { class: 'muted' }),
  )
}

function drawKey(): readonly string[] {
  return (['offered', 'accepted'] as const).flatMap((kind, index) => {
    const x = LEFT + index * 100
    return [
      element('path', { class: `line ${kind}`, d: `M${x},70h22` }),
      label(kind === 'offered' ? 'offered' : 'got through, write units/s', x + 28, 74, { class: 'muted' }),
    ]
  })
}

function descriptionOf(run: BehaviourRun): string {
  const half = Math.floor(run.accepted.length / 2)
  const averages = [run.accepted.slice(0, half), run.accepted.slice(half)].map((part) => {
    return withThousands(Math.round(part.reduce((sum, units) => sum + units, 0) / Math.max(1, part.length)))
  })
  return `${run.setting} On average ${averages.join(' units/s got through in the first half, ')} in the second.`
}

/** `Partitions: 4; 5 after 300 s; 6 after 400 s`. */
function partitionsText({ partitions }: BehaviourRun): string {
  const changes = partitions.flatMap((count, second) => {
    if (second === 0) return [`${count}`]
    return count === partitions[second - 1] ? [] : [`${count} after ${second} s`]
  })
  return `Partitions of the table: ${changes.join('; ')}`
}
