import type { Clock } from '@isotherm/runtime'
import type { SecondLevelCache } from './second-level-cache-options.js'
import type { ShardMapCache } from './shard-map-cache.js'

/** After a failure the cache is left alone for so long: a dead one costs one timeout a second, not one a request. */
const PAUSE_MILLISECONDS = 1_000

export interface GuardedCacheOptions {
  readonly secondLevel: SecondLevelCache
  readonly clock: Clock
  /** Hears of a failure, once a pause. */
  readonly onFailed: (error: unknown) => void
}

/** A cache that may be slow, broken or gone, made harmless: it answers in time, or counts as empty for a while. */
export class GuardedCache {
  readonly #options: GuardedCacheOptions
  #pausedUntil = Number.NEGATIVE_INFINITY

  constructor(options: GuardedCacheOptions) {
    this.#options = options
  }

  /** What `use` makes of the cache, or `undefined` where that fails, takes too long, or is not tried. Never throws. */
  async attempt<Result>(use: (cache: ShardMapCache) => Promise<Result>): Promise<Result | undefined> {
    const { secondLevel, clock } = this.#options
    if (clock.now() < this.#pausedUntil) return undefined
    try {
      return await this.#inTime(use(secondLevel.cache))
    } catch (error) {
      this.#failed(error)
      return undefined
    }
  }

  #failed(error: unknown): void {
    const { clock, onFailed } = this.#options
    const now = clock.now()
    // Requests that were under way together fail together; one sentence tells of all.
    if (now < this.#pausedUntil) return
    this.#pausedUntil = now + PAUSE_MILLISECONDS
    onFailed(error)
  }

  async #inTime<Result>(work: Promise<Result>): Promise<Result> {
    const { secondLevel, clock } = this.#options
    const answered = new AbortController()
    const late = clock.sleep(secondLevel.timeoutMilliseconds, answered.signal).then(() => {
      throw new Error(`The second-level cache did not answer within ${secondLevel.timeoutMilliseconds} ms.`)
    })
    // Whichever comes second has nobody left to hear of its failure.
    late.catch(() => {})
    work.catch(() => {})
    try {
      return await Promise.race([work, late])
    } finally {
      answered.abort()
    }
  }
}
