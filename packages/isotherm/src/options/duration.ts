import { DURATION_RULE, millisecondsOf } from '@isotherm/runtime'
import { invalidOption } from './check.js'

export type { Duration } from '@isotherm/runtime'

/**
 * @returns milliseconds
 * @throws IsothermError `options.invalid`, which names the option
 */
export function parseDuration(option: string, value: unknown): number {
  const milliseconds = millisecondsOf(value)
  if (milliseconds === undefined) throw invalidOption(option, value, DURATION_RULE)
  return milliseconds
}
