// A thread that runs one scenario on virtual time. The thread that serves requests stays free.
import { parentPort, workerData } from 'node:worker_threads'
import { SCENARIOS } from '@isotherm/scenarios'
import type { Rehearsal, RehearsalMessage } from './rehearsal.js'

const { scenario: name, parameters }: Rehearsal = workerData
const send = (message: RehearsalMessage) => parentPort?.postMessage(message)

try {
  const scenario = SCENARIOS.find((each) => each.name === name)
  if (scenario === undefined) throw new Error(`There is no scenario ${name}.`)
  const onProgress = (progress: Extract<RehearsalMessage, { type: 'progress' }>['progress']) =>
    send({ type: 'progress', progress })
  send({ type: 'result', result: await scenario.rehearse(parameters, { onProgress }) })
} catch (error) {
  send({ type: 'failure', message: error instanceof Error ? error.message : String(error) })
}
