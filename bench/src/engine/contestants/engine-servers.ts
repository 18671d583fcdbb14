import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LoadGenerator } from '../load/load-generator.js'
import type { Contestant } from './contestant.js'
import { fill } from './fill.js'
import { forkServer } from './forked-server.js'
import { ServedContestant } from './served-contestant.js'

/** The engine with its data in memory. */
export function memoryEngine(generator: LoadGenerator): Contestant {
  return {
    name: 'engine, in memory',
    kind: 'server',
    start: async () => {
      const server = await forkServer({ kind: 'engine', data: undefined })
      await fill(server.port, generator)
      const about = 'createLocal()'
      return new ServedContestant({ ...server, protocol: 'http', about, hasData: true }, generator)
    },
  }
}

/** The engine with its data on disk. */
export function durableEngine(generator: LoadGenerator): Contestant {
  return {
    name: 'engine, durable',
    kind: 'server',
    start: async () => {
      const data = mkdtempSync(join(tmpdir(), 'isotherm-bench-'))
      const server = await forkServer({ kind: 'engine', data })
      await fill(server.port, generator)
      const about = `createLocal({ data }), fsync before each answer, in ${tmpdir()}`
      const stop = () => {
        server.process.once('exit', () => rmSync(data, { recursive: true }))
        server.stop()
      }
      return new ServedContestant({ ...server, protocol: 'http', about, hasData: true, stop }, generator)
    },
  }
}
