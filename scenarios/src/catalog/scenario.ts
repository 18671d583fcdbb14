/** A number that a run can be given. The command has a flag for it, and the console a field. */
export interface ScenarioParameter {
  /** Its name in a request, such as `viralWritesPerSecond`. */
  readonly name: string
  /** Its flag and the unit, such as `--viral-rate <writes/s>`. */
  readonly flag: string
  readonly description: string
  readonly default: number
  readonly min: number
  readonly max: number
  /** Whether it must be a whole number. */
  readonly isWhole: boolean
}

/** A line of a chart: one value for each step of the run. */
export interface ScenarioSeries {
  readonly name: string
  readonly kind: 'offered' | 'accepted' | 'throttled' | 'shards'
  readonly values: readonly number[]
}

/** One of the ways that a scenario compares, over time. */
export interface ScenarioSide {
  readonly name: string
  /** The width of a step in seconds. */
  readonly seconds: number
  /** Rates are for a second. */
  readonly series: readonly ScenarioSeries[]
}

/** What came of a run. */
export interface ScenarioResult {
  readonly title: string
  /** Whether the last side kept what it promises. */
  readonly isGood: boolean
  /** Before and after: as it is often done first, as it is done last. */
  readonly sides: readonly ScenarioSide[]
  /** Figures with one value for each side, in the order of `sides`. */
  readonly rows: readonly { readonly name: string; readonly values: readonly number[] }[]
}

/** How far a run is. */
export interface ScenarioProgress {
  /** What it is doing, such as `isotherm/counter: 12,000 requests`. */
  readonly text: string
  /** The part that is done, from 0 to 1, where it is known. */
  readonly share?: number
  /** What is known of the sides so far. */
  readonly sides: readonly ScenarioSide[]
}

/** Follows a run. */
export interface ScenarioWatch {
  readonly onProgress?: ((progress: ScenarioProgress) => void) | undefined
}

/** The values of a run's parameters, by name. Those that are left out have their defaults. */
export type ScenarioValues = Readonly<Record<string, number>>

/** A scenario that runs on an engine of its own and on virtual time. */
export interface Scenario {
  /** Its name for the command and for a request, such as `hot-file`. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly parameters: readonly ScenarioParameter[]
  /** @throws ScenarioError `parameter.unknown`, `parameter.out-of-range` or `run.too-large` */
  rehearse(values: ScenarioValues, watch: ScenarioWatch): Promise<ScenarioResult>
}
