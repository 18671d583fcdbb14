import { invalidOption, refuseUnknown, requireInteger } from '../options/check.js'
import { type Duration, parseDuration } from '../options/duration.js'

type RaiseOptions<Max extends string> = { readonly [Name in Max]: number } & {
  readonly factor?: number | undefined
  readonly cooldown?: Duration | undefined
}

interface ParsedRaise {
  readonly maxUnits: number
  readonly factor: number
  readonly cooldownMilliseconds: number
}

/**
 * @param name the function that was given the options
 * @param max the option with the maximum capacity
 */
export function parseRaise<Max extends string>(
  name: string,
  max: Max,
  options: RaiseOptions<Max>,
): ParsedRaise {
  refuseUnknown(name, options, [max, 'factor', 'cooldown'])
  const { factor = 1.5, cooldown = '60s' } = options
  if (!(typeof factor === 'number' && factor > 1 && factor <= 10)) {
    throw invalidOption(`${name}.factor`, factor, 'a number above 1 and at most 10')
  }
  return {
    maxUnits: requireInteger(`${name}.${max}`, options[max], 1, Number.MAX_SAFE_INTEGER),
    factor,
    cooldownMilliseconds: parseDuration(`${name}.cooldown`, cooldown),
  }
}
