import type { ScenarioRunner } from '@isotherm/console'
import type { LiveStage } from './live-hot-file.js'
import { rehearseInThread } from './rehearse-in-thread.js'

/** The scenario that can be watched on the heat map while it runs. */
const LIVE = 'hot-file'

/**
 * The scenarios of the command, for the page.
 * @param stage the engine that is shown; without it, there are rehearsals alone
 */
export function scenarioRunner(stage?: LiveStage): ScenarioRunner {
  return {
    async scenarios() {
      // Loaded on demand: most of those who start an endpoint run no scenario.
      const { SCENARIOS } = await import('@isotherm/scenarios')
      return SCENARIOS.map(({ name, title, description, parameters }) => ({
        name,
        title,
        description,
        parameters,
        modes: stage !== undefined && name === LIVE ? ['live', 'rehearsal'] : ['rehearsal'],
      }))
    },
    async run({ scenario, mode, parameters }, watch) {
      if (mode === 'rehearsal' || stage === undefined)
        return rehearseInThread({ scenario, parameters }, watch)
      const { runLiveHotFile } = await import('./live-hot-file.js')
      return runLiveHotFile(stage, parameters, watch)
    },
  }
}
