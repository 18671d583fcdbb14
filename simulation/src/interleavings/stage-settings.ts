import type { LocalOptions } from '@isotherm/local'
import { durationOf } from './duration.js'
import type { Options } from './script.js'
import { requireKnown } from './table-options.js'

/** How the network and the service of a script are. */
export interface StageSettings {
  readonly seed: number
  /** Of each request to the service, and of each answer. */
  readonly delayMilliseconds: number
  /** How long a client waits for an answer. */
  readonly timeoutMilliseconds: number
  /** Attempts that a client makes of one request. */
  readonly attempts: number
  /** How long after it was sent a request may still be carried out. */
  readonly latestMilliseconds: number
  /** How long an eventually consistent query may not find an item. */
  readonly staleMilliseconds: number
  /** A script that sends more requests ends. */
  readonly maxRequests: number
  /** Whether rules of the script may meet no request. */
  readonly rulesAreOptional: boolean
  readonly engine: Pick<LocalOptions, 'capacity' | 'propagation' | 'throttle' | 'transactionMilliseconds'>
}

/** Thirty times as many as a run of a minute sends on average. */
const MAX_REQUESTS = 200_000

const SETTINGS = [
  'seed',
  'delay',
  'timeout',
  'attempts',
  'latest',
  'stale',
  'readLag',
  'indexLag',
  'indexQueue',
  'transactionTime',
  'throttle',
  'partitionWrites',
  'partitions',
  'heat',
  'requests',
  'optionalRules',
] as const

/** @throws Error for a setting that there is not, or a value that is none */
export function stageSettings(options: Options): StageSettings {
  requireKnown(options, SETTINGS)
  const time = (name: (typeof SETTINGS)[number], otherwise: number) => {
    const word = options.get(name)?.[0]
    return word === undefined ? otherwise : durationOf(word)
  }
  const number = (name: (typeof SETTINGS)[number], otherwise: number) =>
    Number(options.get(name)?.[0] ?? otherwise)
  const latestMilliseconds = time('latest', 1_000)
  return {
    seed: number('seed', 1),
    delayMilliseconds: time('delay', 1),
    timeoutMilliseconds: time('timeout', 1_000),
    attempts: number('attempts', 1),
    latestMilliseconds,
    staleMilliseconds: time('stale', latestMilliseconds),
    maxRequests: number('requests', MAX_REQUESTS),
    rulesAreOptional: options.has('optionalRules'),
    engine: {
      throttle: options.has('throttle'),
      transactionMilliseconds: time('transactionTime', 0),
      propagation: {
        readLagMilliseconds: time('readLag', 0),
        indexLagMilliseconds: time('indexLag', 0),
        indexQueueUnits: number('indexQueue', 1_000),
      },
      capacity: {
        partitionWriteUnitsPerSecond: number('partitionWrites', 1_000),
        indexPartitionBurstSeconds: 1,
        onDemandPartitions: number('partitions', 4),
        heatSeconds: options.has('heat') ? time('heat', 0) / 1_000 : 1e9,
      },
    },
  }
}
