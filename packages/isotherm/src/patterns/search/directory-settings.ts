import { type Clock, type Random, SystemClock, SystemRandom } from '@isotherm/runtime'
import { invalidOption, refuseUnknown, requireObject } from '../../options/check.js'
import { type Duration, parseDuration } from '../../options/duration.js'
import type { Queue } from '../queue/index.js'
import type { Patience } from '../until-taken.js'
import type { DirectoryWork } from './spread-work.js'

/** Options of a directory that differ from process to process. */
export interface DirectorySettings {
  /** The queue for work that follows a rename: of what items are linked to. */
  readonly jobs?: Queue<DirectoryWork> | undefined
  /** How long a throttled request is tried again. Then its throttling error is thrown. The default is `'10s'`. */
  readonly timeout?: Duration | undefined
  /** The clock. The default is the system clock. */
  readonly clock?: Clock | undefined
  /** The random source. The default is the system's. */
  readonly random?: Random | undefined
}

/** @throws IsothermError `options.invalid` or `options.unknown` */
export function parseSettings(given: DirectorySettings): {
  readonly jobs: Queue<DirectoryWork> | undefined
  readonly patience: Patience
} {
  requireObject('directory', given, 'an object of options, such as { jobs }')
  refuseUnknown('directory', given, ['jobs', 'timeout', 'clock', 'random'])
  const { jobs, clock = new SystemClock(), random = new SystemRandom() } = given
  if (jobs !== undefined && typeof Object(jobs).prepare !== 'function')
    throw invalidOption('directory.jobs', jobs, 'a queue of isotherm/queue')
  if (typeof Object(clock).now !== 'function' || typeof Object(clock).sleep !== 'function')
    throw invalidOption('directory.clock', clock, 'a Clock with now() and sleep()')
  if (typeof Object(random).next !== 'function')
    throw invalidOption('directory.random', random, 'a Random with next()')
  const timeoutMilliseconds = parseDuration('directory.timeout', given.timeout ?? '10s')
  return { jobs, patience: { clock, random, timeoutMilliseconds } }
}
