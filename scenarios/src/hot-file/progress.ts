import type { StrategyName } from './strategy.js'

/** The phase of a run: those of the workload, then the reading back. */
export type HotFilePhase = 'calm' | 'ramp' | 'hold' | 'read-back'

/** The progress of a run. */
export interface HotFileProgress {
  readonly phase: HotFilePhase
  readonly viralPath: string
  readonly elapsedSeconds: number
  readonly totalSeconds: number
  readonly strategies: readonly StrategyProgress[]
}

/** Figures of the last full second. */
export interface StrategyProgress {
  readonly strategy: StrategyName
  readonly title: string
  readonly offeredPerSecond: number
  readonly acceptedPerSecond: number
  readonly throttledPerSecond: number
  readonly shards: number
  /** Offered writes of each full second so far. */
  readonly offeredBySecond: readonly number[]
  /** Accepted writes of each full second so far. */
  readonly acceptedBySecond: readonly number[]
}
