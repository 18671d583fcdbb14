import { Worker } from 'node:worker_threads'
import type { ScenarioRunWatch } from '@isotherm/console'
import type { ScenarioResult } from '@isotherm/scenarios'
import type { Rehearsal, RehearsalMessage } from './rehearsal.js'

/** Runs a scenario on virtual time in a thread of its own. An abort ends the thread. */
export function rehearseInThread(
  rehearsal: Rehearsal,
  { onProgress, signal }: ScenarioRunWatch,
): Promise<ScenarioResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./rehearsal-worker.js', import.meta.url), { workerData: rehearsal })
    const end = () => void worker.terminate()
    signal.addEventListener('abort', end, { once: true })
    worker.on('message', (message: RehearsalMessage) => {
      if (message.type === 'progress') onProgress(message.progress)
      else if (message.type === 'result') resolve(message.result)
      else reject(new Error(message.message))
    })
    worker.on('error', reject)
    worker.on('exit', () => {
      signal.removeEventListener('abort', end)
      // Without effect after a result.
      reject(signal.aborted ? signal.reason : new Error('The thread of the scenario has ended.'))
    })
  })
}
