import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { LoadGenerator } from '../load/load-generator.js'
import type { Measurement } from '../measurement.js'
import { messageOf } from '../message-of.js'
import { residentMegabytes } from '../processor-time.js'
import type { CallOrder } from './calling-process.js'
import type { Contestant, RunningContestant } from './contestant.js'
import { fill } from './fill.js'
import { forkServer } from './forked-server.js'

/** The engine inside the process that uses it, through the SDK's client. */
export const sdkInProcess: Contestant = {
  name: 'SDK in process',
  kind: 'in process',
  start: () => caller(['sdk'], 'local.client() of @isotherm/local'),
}

/** Calls of the engine, without the SDK. */
export const engineCalls: Contestant = {
  name: 'engine calls',
  kind: 'in process',
  start: () => caller(['engine'], 'engine.execute(), without the SDK'),
}

/** The SDK's client of the engine in another process, as most applications use a local DynamoDB. */
export function sdkOverHttp(generator: LoadGenerator): Contestant {
  return {
    name: 'SDK over HTTP',
    kind: 'in process',
    start: async () => {
      const server = await forkServer({ kind: 'engine', data: undefined })
      await fill(server.port, generator)
      const running = await caller(
        ['sdk', String(server.port)],
        "the SDK's client of a process with createLocal()",
      )
      const stop = () => {
        running.stop()
        server.stop()
      }
      return { ...running, stop }
    },
  }
}

async function caller(args: readonly string[], about: string): Promise<RunningContestant> {
  const child = fork(fileURLToPath(new URL('./calling-process.js', import.meta.url)), args)
  await messageOf(child)
  return {
    about,
    megabytes: residentMegabytes(child.pid ?? 0),
    measure: (operation, connections, seconds) => {
      const order: CallOrder = { operation: operation.name, calls: connections, seconds }
      child.send(order)
      return messageOf<Measurement>(child)
    },
    stop: () => child.disconnect(),
  }
}
