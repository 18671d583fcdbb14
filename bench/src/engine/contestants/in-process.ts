import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Measurement } from '../measurement.js'
import { messageOf } from '../message-of.js'
import { residentMegabytes } from '../processor-time.js'
import type { CallOrder } from './calling-process.js'
import type { Contestant } from './contestant.js'

/** The engine inside the process that uses it, through the SDK's client. */
export const sdkInProcess = inProcess('sdk', 'SDK in process', 'local.client() of @isotherm/local')

/** Calls of the engine, without the SDK. */
export const engineCalls = inProcess('engine', 'engine calls', 'engine.execute(), without the SDK')

function inProcess(way: 'sdk' | 'engine', name: string, about: string): Contestant {
  return {
    name,
    kind: 'in process',
    start: async () => {
      const script = fileURLToPath(new URL('./calling-process.js', import.meta.url))
      const child = fork(script, [way])
      await messageOf(child)
      return {
        about,
        megabytes: residentMegabytes(child.pid ?? 0),
        measure: async (operation, connections, seconds) => {
          const order: CallOrder = { operation: operation.name, calls: connections, seconds }
          child.send(order)
          return messageOf<Measurement>(child)
        },
        stop: () => child.disconnect(),
      }
    },
  }
}
