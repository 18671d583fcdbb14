import { type Random, randomInteger } from '@isotherm/runtime'
import type { Settings } from './settings.js'

/** Of all runs. */
const SHARE_OF_THROTTLED_READS = 0.25

/** Of the runs with a random suffix that only appends: without transactions an item has two copies for a moment of its move. */
const SHARE_WITHOUT_TRANSACTIONS = 0.2

/** Of those in which nothing is throttled: a replica that waits for capacity is behind by more than any bound. */
const SHARE_OF_REPLICAS = 0.5

/** What most tables have as it is by default. */
export function withRareOptions(drawn: Settings, random: Random): Settings {
  const pick = <T>(options: readonly T[]): T => options[randomInteger(random, 0, options.length - 1)] as T
  const isRandom = drawn.table.suffix === 'random'
  const throttledReads = random.next() < SHARE_OF_THROTTLED_READS ? pick([0.01, 0.05, 0.2]) : 0
  const isAppended = isRandom && drawn.workload !== 'kept-appends'
  const transactions = !(random.next() < SHARE_WITHOUT_TRANSACTIONS && isAppended)
  const isReplicated = random.next() < SHARE_OF_REPLICAS && isRandom && !drawn.engine.throttles
  return {
    ...drawn,
    faults: { ...drawn.faults, throttledReads },
    table: { ...drawn.table, transactions, readReplicas: isReplicated ? pick([1, 2]) : 0 },
  }
}
