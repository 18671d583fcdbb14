/** A number that a run can be given. */
export interface ScenarioParameter {
  readonly name: string
  /** Its flag of the command `isotherm run`, and the unit, such as `--viral-rate <writes/s>`. */
  readonly flag: string
  readonly description: string
  readonly default: number
  readonly min: number
  readonly max: number
  readonly isWhole: boolean
}

/**
 * How a scenario runs: `rehearsal` on an engine of its own and on virtual time, or `live` on the engine that is shown, in
 * real time, so that its tables can be watched on the heat map.
 */
export type ScenarioMode = 'rehearsal' | 'live'

/** A scenario that can be run. */
export interface ScenarioDescription {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly modes: readonly ScenarioMode[]
  readonly parameters: readonly ScenarioParameter[]
}

/** All scenarios, and the run that there is. */
export interface ScenarioList {
  readonly version: 1
  readonly scenarios: readonly ScenarioDescription[]
  readonly run?: ScenarioRun
}

/** What a run is asked for. Parameters that are left out have their defaults. */
export interface ScenarioRequest {
  readonly scenario: string
  readonly mode: ScenarioMode
  readonly parameters: Readonly<Record<string, number>>
}

/** A line of a chart: one value for each step of the run. */
export interface ScenarioSeries {
  readonly name: string
  readonly kind: 'offered' | 'accepted' | 'throttled' | 'shards'
  /** For a second, except `shards`. */
  readonly values: readonly number[]
}

/** One of the ways that a scenario compares, over time. */
export interface ScenarioSide {
  readonly name: string
  /** The width of a step in seconds. */
  readonly seconds: number
  readonly series: readonly ScenarioSeries[]
}

/** How far a run is. */
export interface ScenarioProgress {
  readonly text: string
  /** The part that is done, from 0 to 1, where it is known. */
  readonly share?: number
  readonly sides: readonly ScenarioSide[]
  /** The tables of a `live` run, on the engine that is shown. */
  readonly tables?: readonly string[]
}

/** What came of a run. */
export interface ScenarioResult {
  readonly title: string
  /** Whether the last side kept what it promises. */
  readonly isGood: boolean
  /** Before and after: as it is often done first, as it is done last. */
  readonly sides: readonly ScenarioSide[]
  /** Figures with a value for each side. */
  readonly rows: readonly { readonly name: string; readonly values: readonly number[] }[]
}

/** A run. There is at most one at a time. */
export interface ScenarioRun extends ScenarioRequest {
  readonly id: number
  readonly state: 'running' | 'done' | 'failed' | 'cancelled'
  /** When it began and ended, in milliseconds since the epoch. */
  readonly began: number
  readonly ended?: number
  readonly progress?: ScenarioProgress
  readonly result?: ScenarioResult
  /** Why it failed. */
  readonly reason?: string
}
