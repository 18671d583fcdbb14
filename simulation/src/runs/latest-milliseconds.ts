import type { Settings } from './settings.js'

/** How late a request may be. The bound is for the slowest clock: what a fast one waits for is shorter by the drift. */
export function latestMilliseconds(
  { cacheMilliseconds, lateMilliseconds }: Pick<Settings['table'], 'cacheMilliseconds' | 'lateMilliseconds'>,
  drift: number,
): number {
  return lateMilliseconds - 3 * drift * (cacheMilliseconds + lateMilliseconds) - 1
}
