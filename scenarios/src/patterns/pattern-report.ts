import type { WorldWatch } from './world-watch.js'

/** What came of a scenario of a table pattern: figures of two ways to do the same. */
export interface PatternReport {
  readonly title: string
  readonly seed: number
  /** By hand, and with the pattern. */
  readonly columns: readonly [string, string]
  readonly rows: readonly PatternRow[]
  /** Whether the pattern held what it promises. */
  readonly isGood: boolean
}

/** One figure of both ways. */
interface PatternRow {
  readonly name: string
  readonly values: readonly [number, number]
}

export interface PatternSettings {
  readonly seed: number
  /** Share of the usual load. Default 1. */
  readonly scale?: number
  /** Follows the run, and records its traffic. */
  readonly watch?: WorldWatch | undefined
}
