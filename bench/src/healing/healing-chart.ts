import {
  axisEnd,
  bySecond,
  chartDocument,
  drawPlot,
  element,
  label,
  withThousands,
} from '@isotherm/scenarios'
import { DEFAULTS } from './contestant.js'
import type { RecordedRun } from './healing-record.js'
import type { Shape } from './shape.js'

const [WIDTH, HEIGHT] = [760, 310]
const LEFT = 72
const PLOT = { left: LEFT, top: 92, width: WIDTH - LEFT - 28, height: 178 }

/** The classes of lines, in the order in which contestants get them. */
const KINDS = ['accepted', 'throttled', 'shards'] as const
const KEY_WIDTH = 150

/**
 * Draws what each contestant's writes got through, in the first seconds of one load. The chart is readable in light and dark mode, and
 * has a title and a description for screen readers.
 *
 * @param runs of one load, the library's first; more than three are left out
 * @returns an SVG document, the same text for the same runs on every machine
 */
export function drawHealingChart({ title }: Shape, runs: readonly RecordedRun[]): string {
  const drawn = KINDS.flatMap((kind, index) => {
    const run = runs[index]
    return run === undefined ? [] : [{ kind, run }]
  })
  const [first] = drawn
  if (first === undefined) throw new Error('A chart needs a run.')
  const { offered } = first.run.curves
  const heading = `${title.charAt(0).toUpperCase()}${title.slice(1)}`
  return chartDocument(
    {
      width: WIDTH,
      height: HEIGHT,
      title: heading,
      description: drawn.map(({ run }) => descriptionOf(run)).join(' '),
    },
    label(heading, LEFT, 32, { class: 'panel' }),
    label('Write units/s that got through', LEFT, 53, { class: 'muted' }),
    ...[
      { kind: 'offered', name: 'offered' },
      ...drawn.map(({ kind, run }) => ({ kind, name: nameOf(run) })),
    ].flatMap(({ kind, name }, index) => {
      const x = LEFT + index * KEY_WIDTH
      return [
        element('path', { class: `line ${kind}`, d: `M${x},70h22` }),
        label(name, x + 28, 74, { class: 'muted' }),
      ]
    }),
    drawPlot({
      ...PLOT,
      seconds: offered.length,
      maxValue: axisEnd(Math.max(...offered, ...drawn.flatMap(({ run }) => run.curves.accepted))),
      hasValues: true,
      hasTimes: true,
      band: [0, 0],
      lines: [
        { kind: 'offered', points: bySecond(offered) },
        ...drawn.map(({ kind, run }) => ({ kind, points: bySecond(run.curves.accepted) })),
      ],
    }),
  )
}

function nameOf({ contestant }: RecordedRun): string {
  return contestant === DEFAULTS.name ? 'isotherm' : contestant.replace('fixed-', 'fixed count ')
}

function descriptionOf(run: RecordedRun): string {
  const { accepted } = run.curves
  const average = accepted.reduce((sum, units) => sum + units, 0) / accepted.length
  return `${nameOf(run)}: ${withThousands(Math.round(average))} units/s got through on average, with ${run.shards} shards at the end.`
}
