import type { ScenarioSeries, ScenarioSide } from '../../src/api/scenarios'
import { type Line, LineChart } from '../chart/line-chart'
import { duration, figure } from '../format/figures'

const COLOURS: Readonly<Record<ScenarioSeries['kind'], string>> = {
  offered: '--soft',
  accepted: '--accent',
  throttled: '--hot',
  shards: '--cooled',
}

/** Of reads, where writes of the same kind are in the chart. */
const SECOND_COLOUR = '--warm'

/** Before and after, on scales of the same height. */
export function SideCharts({ sides }: { readonly sides: readonly ScenarioSide[] }) {
  const shown = sides.map(({ series, ...side }) => ({
    ...side,
    series: series.filter(({ kind }) => kind !== 'shards'),
    shards: series.find(({ kind }) => kind === 'shards'),
  }))
  const most = Math.max(0, ...shown.flatMap(({ series }) => series.flatMap(({ values }) => values)))
  if (most === 0) return null
  return (
    <div class="sides">
      {shown.map(({ name, seconds, series, shards }) => {
        const steps = Math.max(...series.map(({ values }) => values.length))
        const times = Array.from({ length: steps }, (_, step) => step * seconds)
        return (
          <div key={name}>
            <LineChart
              title={name}
              times={times}
              lines={series.map((each, at) => lineOf(each, steps, series.slice(0, at)))}
              timeText={(at) => duration(at)}
              most={most}
              summary={series
                .map(({ name: text, values }) => `${text}: ${totalText(values, seconds)}`)
                .join('; ')}
            />
            {shards !== undefined && <p class="hint">Shards: {shardText(shards.values)}</p>}
          </div>
        )
      })}
    </div>
  )
}

/** @param before the series that are drawn in the same chart */
function lineOf(
  { name, kind, values }: ScenarioSeries,
  steps: number,
  before: readonly ScenarioSeries[],
): Line {
  const padded = Array.from({ length: steps }, (_, step) => values[step] ?? null)
  const colour = before.some((each) => each.kind === kind) ? SECOND_COLOUR : COLOURS[kind]
  return { name, colour, values: padded, isDashed: kind === 'offered', unit: '/s' }
}

function totalText(values: readonly number[], seconds: number): string {
  return figure(seconds * values.reduce((sum, value) => sum + value, 0))
}

/** The counts that there were, such as `1 → 4`. */
function shardText(values: readonly number[]): string {
  return values.filter((count, at) => count !== values[at - 1]).join(' → ')
}
