import type { HotFileProgress } from './progress.js'
import type { StrategyName } from './strategy.js'

/** The progress of strategies that are run apart from each other. The whole run is where the slowest of them is. */
export class JoinedProgress {
  readonly #strategies: readonly StrategyName[]
  readonly #onProgress: ((progress: HotFileProgress) => void) | undefined
  readonly #made = new Map<StrategyName, HotFileProgress>()
  #slowest: HotFileProgress | undefined

  constructor(
    strategies: readonly StrategyName[],
    onProgress: ((progress: HotFileProgress) => void) | undefined,
  ) {
    this.#strategies = strategies
    this.#onProgress = onProgress
  }

  /** One strategy has come so far. Reports the whole, when all have begun and the slowest has come further. */
  made(strategy: StrategyName, progress: HotFileProgress): void {
    this.#made.set(strategy, progress)
    const all = this.#strategies.flatMap((each) => this.#made.get(each) ?? [])
    if (all.length < this.#strategies.length) return
    const slowest = all.reduce((one, other) => (isBehind(other, one) ? other : one))
    if (this.#slowest !== undefined && !isBehind(this.#slowest, slowest)) return
    this.#slowest = slowest
    this.#onProgress?.({ ...slowest, strategies: all.flatMap((own) => own.strategies) })
  }
}

/** At the last second of the load, a strategy still has to read its trail back. */
function isBehind(one: HotFileProgress, other: HotFileProgress): boolean {
  if (one.elapsedSeconds !== other.elapsedSeconds) return one.elapsedSeconds < other.elapsedSeconds
  return one.phase !== 'read-back' && other.phase === 'read-back'
}
