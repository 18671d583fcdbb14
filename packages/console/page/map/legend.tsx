import { theme } from '../state/theme'
import { view } from '../state/view'
import { SCALES } from './colour'

/** What the colours mean, in words beside the colours themselves. */
export function Legend() {
  const { ramp, throttled, beside, limited } = SCALES[theme.value]
  const isRelative = view.value.colour === 'relative'
  return (
    <div class="legend" role="note" aria-label="Legend">
      <span class="legend-title">
        {isRelative ? 'Relative to the hottest row' : 'Share of what one partition serves'}
      </span>
      <span class="ramp">
        <span class="ramp-end">0</span>
        {ramp.map((colour) => (
          <i key={colour} style={{ background: colour }} />
        ))}
        <span class="ramp-end limit">{isRelative ? 'hottest' : '100 %'}</span>
      </span>
      <span class="swatch wide">
        <i style={{ background: `linear-gradient(90deg, ${throttled.join(', ')})` }} />
        throttled, few to many requests: fills its partition
      </span>
      <span class="swatch">
        <i style={{ background: beside }} />
        throttled beside such a key
      </span>
      <span class="swatch">
        <i style={{ background: limited }} />
        throttled: the table is at its limit
      </span>
    </div>
  )
}
