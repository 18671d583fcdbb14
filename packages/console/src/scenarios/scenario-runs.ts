import type { Clock } from '@isotherm/runtime'
import type { ScenarioRequest, ScenarioRun } from '../api/scenarios.js'
import type { ScenarioRunner } from './scenario-runner.js'

/** The run that there is, or was last. */
export class ScenarioRuns {
  readonly #runner: ScenarioRunner
  readonly #clock: Clock
  #run: ScenarioRun | undefined
  #running: AbortController | undefined

  constructor(runner: ScenarioRunner, clock: Clock) {
    this.#runner = runner
    this.#clock = clock
  }

  get run(): ScenarioRun | undefined {
    return this.#run
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** Starts a run. There must be none that is running. */
  start(request: ScenarioRequest): ScenarioRun {
    if (this.#running !== undefined) throw new Error('A run must have ended before the next one begins.')
    const running = new AbortController()
    this.#running = running
    const id = (this.#run?.id ?? 0) + 1
    const run: ScenarioRun = { ...request, id, state: 'running', began: this.#clock.now() }
    this.#run = run
    const change = (change: Partial<ScenarioRun>) => {
      // A run that was cancelled may still report.
      if (this.#running === running && this.#run !== undefined) this.#run = { ...this.#run, ...change }
    }
    const end = (change: Partial<ScenarioRun>) => {
      if (this.#running !== running || this.#run === undefined) return
      this.#run = { ...this.#run, ...change, ended: this.#clock.now() }
      this.#running = undefined
    }
    running.signal.addEventListener('abort', () => end({ state: 'cancelled' }))
    const watch = {
      onProgress: (progress: NonNullable<ScenarioRun['progress']>) => change({ progress }),
      signal: running.signal,
    }
    this.#runner.run(request, watch).then(
      (result) => end({ state: 'done', result }),
      (error: unknown) =>
        end({ state: 'failed', reason: error instanceof Error ? error.message : String(error) }),
    )
    return run
  }

  /** Ends the run that is running, if there is one. */
  cancel(): void {
    this.#running?.abort(new Error('The run was cancelled.'))
  }
}
