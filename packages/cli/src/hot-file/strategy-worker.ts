// A thread that rehearses one strategy of the hot file.
import { parentPort, workerData } from 'node:worker_threads'
import { type HotFileSettings, rehearseHotFile } from '@isotherm/scenarios'
import type { StrategyMessage } from './strategy-message.js'

const settings: HotFileSettings = workerData
const send = (message: StrategyMessage) => parentPort?.postMessage(message)

const rehearsal = await rehearseHotFile(settings, {
  onProgress: (progress) => send({ type: 'progress', progress }),
})
send({ type: 'rehearsed', rehearsal })
