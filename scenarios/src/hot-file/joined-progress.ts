import type { HotFileProgress } from './progress.js'
import type { StrategyName } from './strategy.js'

/**
 * The progress of strategies that are run apart from each other. All of them report at the same times of their clocks, so their first
 * reports belong together, their second ones, and so on. The whole run is where the slowest of them is.
 */
export class JoinedProgress {
  readonly #onProgress: ((progress: HotFileProgress) => void) | undefined
  /** The reports of each strategy, in order, for which that of another one is missing. */
  readonly #waiting: ReadonlyMap<StrategyName, HotFileProgress[]>

  constructor(
    strategies: readonly StrategyName[],
    onProgress: ((progress: HotFileProgress) => void) | undefined,
  ) {
    this.#onProgress = onProgress
    this.#waiting = new Map(strategies.map((strategy) => [strategy, []]))
  }

  /** One strategy has come so far. Reports the whole, when all of them have come there. */
  made(strategy: StrategyName, progress: HotFileProgress): void {
    this.#waiting.get(strategy)?.push(progress)
    const reports = [...this.#waiting.values()]
    if (reports.some(({ length }) => length === 0)) return
    const strategies = reports.flatMap((ofOne) => ofOne.shift()?.strategies ?? [])
    this.#onProgress?.({ ...progress, strategies })
  }
}
