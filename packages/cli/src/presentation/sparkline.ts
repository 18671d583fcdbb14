const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const

/** The last `width` figures as a line of bars; `max` is a full bar. */
export function sparkline(values: readonly number[], width: number, max: number): string {
  const top = BARS.length - 1
  return values
    .slice(-width)
    .map((value) => BARS[Math.max(0, Math.min(top, Math.round((value / Math.max(1, max)) * top)))])
    .join('')
}

/** All figures, condensed to `width` bars: a bar is the mean of its part. */
export function wholeSparkline(values: readonly number[], width: number, max: number): string {
  const step = Math.max(1, values.length / width)
  const means = Array.from({ length: Math.min(width, values.length) }, (_, bar) => {
    const part = values.slice(
      Math.floor(bar * step),
      Math.max(Math.floor(bar * step) + 1, Math.floor((bar + 1) * step)),
    )
    return part.reduce((sum, value) => sum + value, 0) / part.length
  })
  return sparkline(means, width, max)
}
