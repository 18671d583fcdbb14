const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** A rate or a count: one decimal where it matters. */
export function figure(value: number): string {
  return Math.abs(value) < 10 ? tenths.format(value) : whole.format(value)
}

/** A share of a partition's limit. */
export function percent(value: number): string {
  return `${figure(value)} %`
}

export function clockTime(at: number, withSeconds = true): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  const text = `${two(date.getHours())}:${two(date.getMinutes())}`
  return withSeconds ? `${text}:${two(date.getSeconds())}` : text
}

/** A day and a time, for spans of more than a day. */
export function dayTime(at: number, withSeconds = false): string {
  const date = new Date(at)
  return `${date.toLocaleDateString('en', { month: 'short', day: 'numeric' })} ${clockTime(at, withSeconds)}`
}

const BYTES = ['bytes', 'KB', 'MB', 'GB'] as const

export function bytesText(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(BYTES.length - 1, Math.floor(Math.log(bytes) / Math.log(1_024)))
  return `${figure(bytes / 1_024 ** step)} ${BYTES[step]}`
}

/** How long a column is, such as `10 s` or `30 min`. */
export function duration(seconds: number): string {
  if (seconds < 120) return `${figure(seconds)} s`
  return seconds < 7_200 ? `${figure(seconds / 60)} min` : `${figure(seconds / 3_600)} h`
}
