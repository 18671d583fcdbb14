const DURATION = /^([+-]?\d+(?:\.\d+)?)(ms|s|m)$/
const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000 } as const

/** Milliseconds of a text such as `57s`. @throws Error where it is none */
export function durationOf(text: string): number {
  const milliseconds = durationIn(text)
  if (milliseconds === undefined) throw new Error(`${text} is no time; write it as 250ms, 57s or 1.5m`)
  return milliseconds
}

/** @returns `undefined` where the text is none */
export function durationIn(text: string): number | undefined {
  const [, number, unit] = DURATION.exec(text) ?? []
  if (number === undefined || unit === undefined) return undefined
  return Number(number) * MILLISECONDS[unit as keyof typeof MILLISECONDS]
}
