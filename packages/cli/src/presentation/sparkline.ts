const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const

/** The last `width` figures as a line of bars; `max` is a full bar. */
export function sparkline(values: readonly number[], width: number, max: number): string {
  const top = BARS.length - 1
  return values
    .slice(-width)
    .map((value) => BARS[Math.max(0, Math.min(top, Math.round((value / Math.max(1, max)) * top)))])
    .join('')
}
