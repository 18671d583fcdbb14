import { type Random, randomInteger } from '@isotherm/runtime'
import { latestMilliseconds } from './latest-milliseconds.js'
import type { Settings } from './settings.js'

/** With the usual times, next to nothing of what takes several steps comes to its end in a run as short as this. */
const SHORT_MILLISECONDS = 30_000

/** The other short runs have the usual times, so that they show what long waits do to whatever happens in the middle of one. */
const SHARE_OF_SHORT_TIMES = 0.85

/** Of the runs in which nothing pauses otherwise. */
const SHARE_OF_MORE_PAUSES = 0.3

/**
 * The settings with times that fit the length of the run. A change of a calculated count takes twice `cacheTtl` and
 * `lateRequests`, and three seconds more that are for replicas and cannot be chosen: so a half of such a run is left for it to
 * begin in, and to be in the middle of other things.
 */
export function withFittingTimes(drawn: Settings, random: Random): Settings {
  if (drawn.runMilliseconds > SHORT_MILLISECONDS || random.next() >= SHARE_OF_SHORT_TIMES) return drawn
  const pick = <T>(options: readonly T[]): T => options[randomInteger(random, 0, options.length - 1)] as T
  const isRandom = drawn.table.suffix === 'random'
  const table = {
    ...drawn.table,
    cacheMilliseconds: pick([200, 300, 500]),
    lateMilliseconds: pick([300, 500, 1_000]),
    cooldownMilliseconds: pick(isRandom ? [1_000, 4_000, 10_000] : [1_000, 2_000, 4_000]),
    jitterMilliseconds: pick([
      [0, 0],
      [0, 200],
      [100, 500],
    ] as const),
    drainUnitsPerSecond: pick([100, 1_000, 10_000]),
    // A count that is high at first may fall at once.
    initialShards: isRandom ? pick([1, 2, 5, 8, 8]) : drawn.table.initialShards,
  }
  const { faults } = drawn
  const morePauses = random.next() < SHARE_OF_MORE_PAUSES
  const pauses = Number.isFinite(faults.pauseIntervalMilliseconds) || morePauses
  return {
    ...drawn,
    table,
    engine: { ...drawn.engine, heatSeconds: pick([1, 2, 4]) },
    // Each change of a random count puts its drain off, and a calculated one changes once at a time.
    operatorMilliseconds: pick(
      isRandom
        ? [Number.POSITIVE_INFINITY, 700, 1_000, 1_500, 2_000]
        : [Number.POSITIVE_INFINITY, 400, 700, 1_000, 1_500],
    ),
    operatedMilliseconds: drawn.runMilliseconds * pick([0.2, 0.25, 0.3, 0.35, Number.POSITIVE_INFINITY]),
    faults: {
      ...faults,
      delayMilliseconds: pick([1, 5, 10]),
      timeoutMilliseconds: pick([150, 300]),
      latestMilliseconds: latestMilliseconds(table, faults.drift),
      batchSpreadMilliseconds: faults.batchSpreadMilliseconds === 0 ? 0 : pick([5, 50, 200]),
      pauseIntervalMilliseconds: pauses ? pick([2_000, 5_000]) : Number.POSITIVE_INFINITY,
      pauseMilliseconds: pick([500, 2_000, 5_000]),
    },
  }
}
