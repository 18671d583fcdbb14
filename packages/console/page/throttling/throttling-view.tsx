import type { HeatMap } from '../../src/api/heat-map'
import { type Line, LineChart } from '../chart/line-chart'
import { clockTime, dayTime, figure } from '../format/figures'
import { accessSeries } from './access-series'

/** Accepted units and throttled requests over time, reads and writes apart, throttles by their reason. */
export function ThrottlingView({ of }: { readonly of: HeatMap }) {
  return (
    <div class="throttling">
      {(['write', 'read'] as const).map((access) => (
        <AccessChart key={access} of={of} access={access} />
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

function AccessChart({ of, access }: { readonly of: HeatMap; readonly access: 'write' | 'read' }) {
  const series = accessSeries(of, access)
  const times = Array.from({ length: of.columns }, (_, column) => of.from / 1_000 + column * of.seconds)
  const lines = series.map(({ name, kind, values }, at): Line => {
    const colour = kind === 'accepted' ? '--accent' : (THROTTLED[(at - 1) % THROTTLED.length] ?? '--hot')
    return { name, colour, values, unit: '/s' }
  })
  const summary = series.map(({ name, total }) => `${name}: ${figure(total)}`).join('; ')
  return (
    <LineChart
      title={TITLES[access]}
      times={times}
      lines={lines}
      timeText={(at) => timeText(of, at * 1_000)}
      summary={`In the whole span: ${summary}.`}
    />
  )
}

function timeText({ seconds, columns }: HeatMap, at: number): string {
  return seconds * columns > 90_000 ? dayTime(at) : clockTime(at, seconds < 60)
}

/** Reasons have colours of their own, in the order in which they appear after the accepted units. */
const THROTTLED = ['--hot', '--limited', '--warm', '--cooled'] as const
