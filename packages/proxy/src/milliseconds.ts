const UNIT_MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** A duration of the configuration, such as `60s`, which was checked before. */
export function milliseconds(duration: string | number): number {
  if (typeof duration === 'number') return duration
  const [, amount, unit = 'ms'] = /^([\d.]+)(ms|s|m|h)$/.exec(duration) ?? []
  return Number(amount) * (UNIT_MILLISECONDS[unit] ?? 1)
}
