import type {
  ScenarioDescription,
  ScenarioProgress,
  ScenarioRequest,
  ScenarioResult,
} from '../api/scenarios.js'

/** Follows a run, and ends it. */
export interface ScenarioRunWatch {
  /** Called about once a second while the scenario runs. */
  onProgress(progress: ScenarioProgress): void
  /** Aborted to end the run early. */
  readonly signal: AbortSignal
}

/** Runs scenarios for the console. It must not hold the process that serves the page. */
export interface ScenarioRunner {
  /** Those that can be run. Asked for on demand, so that an endpoint starts without them. */
  scenarios(): Promise<readonly ScenarioDescription[]>
  /** Rejects with the reason that the page shows. */
  run(request: ScenarioRequest, watch: ScenarioRunWatch): Promise<ScenarioResult>
}
