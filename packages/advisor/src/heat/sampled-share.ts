import type { Estimate } from './key-heat.js'

/** For 95 of 100 samples. */
const Z = 1.96

/**
 * The share of a key in a table, from its share in a sample: the interval of Wilson, which holds for small shares, too.
 *
 * @example
 * sampledShare(100, 1_000) // { value: 0.1, atLeast: 0.083, atMost: 0.120 }, about
 */
export function sampledShare(found: number, sample: number): Estimate {
  if (sample === 0) return { value: 0, atLeast: 0, atMost: 1 }
  const share = found / sample
  const spread = Z ** 2 / sample
  const middle = (share + spread / 2) / (1 + spread)
  const half = (Z / (1 + spread)) * Math.sqrt((share * (1 - share)) / sample + spread / (4 * sample))
  return { value: share, atLeast: Math.max(0, middle - half), atMost: Math.min(1, middle + half) }
}
