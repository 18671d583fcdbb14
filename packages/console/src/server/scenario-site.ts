import type { IncomingMessage } from 'node:http'
import type { Clock } from '@isotherm/runtime'
import type { ScenarioList, ScenarioRun } from '../api/scenarios.js'
import type { ScenarioRunner } from '../scenarios/scenario-runner.js'
import { ScenarioRuns } from '../scenarios/scenario-runs.js'
import { ConsoleError } from './console-error.js'
import { ownBody, requireMethod, requireOwnHeader } from './own-request.js'
import { scenarioRequest } from './scenario-request.js'

const NO_SCENARIOS: ScenarioRunner = {
  scenarios: async () => [],
  run: async () => {
    throw new Error('This console runs no scenarios.')
  },
}

/** An answer: its status, and an object that is sent as JSON. */
export interface ScenarioAnswer {
  readonly status: number
  readonly body: object
}

/** The part of the API that runs scenarios: `scenarios` and `scenarios/run`. */
export class ScenarioSite {
  readonly #runner: ScenarioRunner
  readonly #runs: ScenarioRuns

  constructor(runner: ScenarioRunner = NO_SCENARIOS, clock: Clock) {
    this.#runner = runner
    this.#runs = new ScenarioRuns(runner, clock)
  }

  /** @param path below the API's path. @returns `undefined` if there is no such path */
  async answer(request: IncomingMessage, path: string): Promise<ScenarioAnswer | undefined> {
    const { method } = request
    if (path === 'scenarios') {
      requireMethod(request, ['GET', 'HEAD'])
      const { run } = this.#runs
      const list: ScenarioList = {
        version: 1,
        scenarios: await this.#runner.scenarios(),
        ...(run === undefined ? {} : { run }),
      }
      return { status: 200, body: list }
    }
    if (path !== 'scenarios/run') return undefined
    requireMethod(request, ['GET', 'HEAD', 'POST', 'DELETE'])
    if (method === 'POST') return { status: 202, body: await this.#start(request) }
    if (method === 'DELETE') return { status: 200, body: this.#cancel(request) }
    return { status: 200, body: this.#run() }
  }

  close(): void {
    this.#runs.cancel()
  }

  async #start(request: IncomingMessage): Promise<ScenarioRun> {
    const body = await ownBody(request, { scenario: 'hot-file' })
    const wanted = scenarioRequest(body, await this.#runner.scenarios())
    const { run } = this.#runs
    if (this.#runs.isRunning && run !== undefined) {
      const message = `The scenario ${run.scenario} is running, and there can be one at a time. Wait, or send DELETE.`
      throw new ConsoleError('scenario.busy', 409, message)
    }
    return this.#runs.start(wanted)
  }

  #cancel(request: IncomingMessage): ScenarioRun {
    requireOwnHeader(request)
    this.#runs.cancel()
    return this.#run()
  }

  #run(): ScenarioRun {
    const { run } = this.#runs
    if (run !== undefined) return run
    throw new ConsoleError('scenario.none', 404, 'No scenario has run yet. Start one with POST.')
  }
}
