import type { Clock } from '@isotherm/runtime'
import type { SecondLevelCache } from './second-level-cache-options.js'
import type { ShardMapCache } from './shard-map-cache.js'

/** How long the cache is skipped after a failure. A dead cache costs one timeout per second instead of one per request. */
const PAUSE_MILLISECONDS = 1_000

export interface GuardedCacheOptions {
  readonly secondLevel: SecondLevelCache
  readonly clock: Clock
  /** Called with the first failure; further failures within the pause are not reported. */
  readonly onFailed: (error: unknown) => void
}

/** Protects requests from a slow or broken cache: it responds within its timeout, or is treated as empty during the pause. */
export class GuardedCache {
  readonly #options: GuardedCacheOptions
  #pausedUntil = Number.NEGATIVE_INFINITY

  constructor(options: GuardedCacheOptions) {
    this.#options = options
  }

  /** Returns the result of `use`, or `undefined` if it fails, times out, or is skipped during the pause. Never throws. */
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
    // Concurrent requests fail together; one report covers all of them.
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
    // The race ignores the slower promise, so its rejection must be handled here.
    late.catch(() => {})
    work.catch(() => {})
    try {
      return await Promise.race([work, late])
    } finally {
      answered.abort()
    }
  }
}
