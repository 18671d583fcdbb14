import { type Clock, type Random, SystemClock, SystemRandom } from '@isotherm/runtime'
import { invalidOption, refuseUnknown, requireObject, requireText } from '../options/check.js'
import { type Duration, parseDuration } from '../options/duration.js'

/** Options that all patterns have. */
export interface PatternOptions {
  /** The name of the table. */
  readonly table: string
  /** The name of the table's partition key attribute, which is text. */
  readonly partitionKey: string
  /** The name of the table's sort key attribute, which is text, if it has one. The pattern stores the same value in each of its items. */
  readonly sortKey?: string
  /** How long a throttled request is tried again. Then its throttling error is thrown. The default is `'10s'`. */
  readonly timeout?: Duration
  /** The clock. The default is the system clock. */
  readonly clock?: Clock
  /** The random source. The default is the system's. */
  readonly random?: Random
}

/** The same, checked. */
export interface ParsedPatternOptions {
  readonly table: string
  readonly partitionKey: string
  readonly sortKey: string | undefined
  readonly timeoutMilliseconds: number
  readonly clock: Clock
  readonly random: Random
}

const KNOWN: readonly (keyof PatternOptions)[] = [
  'table',
  'partitionKey',
  'sortKey',
  'timeout',
  'clock',
  'random',
]

/**
 * @param own names of the options that only this pattern has
 * @throws IsothermError `options.invalid` or `options.unknown`
 */
export function parsePatternOptions(
  pattern: string,
  options: unknown,
  own: readonly string[],
): ParsedPatternOptions {
  const given: Partial<Record<keyof PatternOptions, unknown>> = requireObject(
    pattern,
    options,
    'an object of options, such as { table, partitionKey }',
  )
  refuseUnknown(pattern, given, [...KNOWN, ...own])
  const { sortKey, clock = new SystemClock(), random = new SystemRandom() } = given
  if (typeof Object(clock).now !== 'function' || typeof Object(clock).sleep !== 'function')
    throw invalidOption(`${pattern}.clock`, clock, 'a Clock with now() and sleep()')
  if (typeof Object(random).next !== 'function')
    throw invalidOption(`${pattern}.random`, random, 'a Random with next()')
  return {
    table: requireText(`${pattern}.table`, given.table, 'the name of a table'),
    partitionKey: requireText(`${pattern}.partitionKey`, given.partitionKey, 'the name of an attribute'),
    sortKey:
      sortKey === undefined
        ? undefined
        : requireText(`${pattern}.sortKey`, sortKey, 'the name of an attribute'),
    timeoutMilliseconds: parseDuration(`${pattern}.timeout`, given.timeout ?? '10s'),
    clock: clock as Clock,
    random: random as Random,
  }
}
