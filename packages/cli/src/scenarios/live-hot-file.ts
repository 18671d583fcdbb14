import type { HeatEvent, ScenarioRunWatch } from '@isotherm/console'
import type { Local } from '@isotherm/local'
import type { Clock } from '@isotherm/runtime'
import {
  HotFileRun,
  hotFileProgress,
  hotFileResult,
  hotFileSettings,
  type ScenarioResult,
  type ScenarioValues,
} from '@isotherm/scenarios'
import { scaledEvent } from '../console/scaled-event.js'

/** The engine on which a run is watched. */
export interface LiveStage {
  readonly local: Local
  /** The engine's clock. */
  readonly clock: Clock
  readonly onEvent: (event: HeatEvent) => void
}

/** Before and after: each has a table that can be watched. */
const STRATEGIES = ['one-key', 'dynamic'] as const

/** Runs the hot file on the engine that is served, in its time. The tables stay, so that they can be looked at. */
export async function runLiveHotFile(
  { local, clock, onEvent }: LiveStage,
  values: ScenarioValues,
  { onProgress, signal }: ScenarioRunWatch,
): Promise<ScenarioResult> {
  const tablePrefix = freePrefix(local)
  const settings = hotFileSettings(values, { strategies: STRATEGIES, tablePrefix })
  const tables = STRATEGIES.map((name) => `${tablePrefix}${name.replace('-', '_')}`)
  const run = new HotFileRun(settings, {
    connect: () => local.client(),
    clock,
    signal,
    onProgress: (progress) => onProgress({ ...hotFileProgress(progress), tables }),
    onEvent: (_strategy, event) => {
      const shown = scaledEvent(event, 'the scenario hot-file')
      if (shown !== undefined) onEvent(shown)
    },
  })
  try {
    return hotFileResult(await run.run())
  } finally {
    for (const client of run.clients) client.destroy()
  }
}

/** No table begins with it. */
function freePrefix(local: Local): string {
  const names = local.tables().map(({ name }) => name)
  for (let number = 1; ; number++) {
    const prefix = `hot_file_${number}_`
    if (!names.some((name) => name.startsWith(prefix))) return prefix
  }
}
