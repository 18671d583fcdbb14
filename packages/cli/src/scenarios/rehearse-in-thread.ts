import type { ScenarioRunWatch } from '@isotherm/console'
import type { ScenarioResult } from '@isotherm/scenarios'
import type { Rehearsal, RehearsalMessage } from './rehearsal.js'
import { runInThread } from './run-in-thread.js'

/** Runs a scenario on virtual time in another thread. An abort ends the thread. */
export function rehearseInThread(
  rehearsal: Rehearsal,
  { onProgress, signal }: ScenarioRunWatch,
): Promise<ScenarioResult> {
  return runInThread<RehearsalMessage, ScenarioResult>(new URL('./rehearsal-worker.js', import.meta.url), {
    data: rehearsal,
    signal,
    onMessage: (message, resolve, reject) => {
      if (message.type === 'progress') onProgress(message.progress)
      else if (message.type === 'result') resolve(message.result)
      else reject(new Error(message.message))
    },
  })
}
