import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Request } from './request.js'
import type { Tally } from './tally.js'

/** What another process reports of a run. */
export interface Outcome {
  readonly request: Request
  readonly tally: Tally
  /** The guarantee that was broken, if one was. */
  readonly brokenRule: string | undefined
  /** What the run took of one core. */
  readonly cpuMilliseconds: number
}

export interface SeedProcesses {
  /** How many processes share the work. */
  readonly jobs: number
  /** The next run; nothing when there are no more, or no more are wanted. */
  readonly next: () => Request | undefined
  /** Hears of each run when it has ended, in any order. */
  readonly onOutcome: (outcome: Outcome) => void
  /** Only for tests, which run from sources that nobody can start a process from. */
  readonly entry?: URL
}

/**
 * Everything that a run makes is garbage a simulated moment later: with more room it is collected less often, and on the one
 * core that a process has, threads that help with it only cost.
 */
const NODE_OPTIONS = ['--max-semi-space-size=128', '--min-semi-space-size=128', '--single-threaded-gc']

/** Runs that a process is sent ahead, so that it does not wait while it is sent the next one. */
const AHEAD = 2

/** Runs seeds in processes of their own, each one thread, until no more are wanted. @throws Error when one of them ends */
export async function runSeeds(work: SeedProcesses): Promise<void> {
  await Promise.all(Array.from({ length: work.jobs }, () => runInOneProcess(work)))
}

async function runInOneProcess({ next, onOutcome, entry }: SeedProcesses): Promise<void> {
  const path = fileURLToPath(entry ?? new URL('./seed-process.js', import.meta.url))
  const child = fork(path, { execArgv: NODE_OPTIONS, serialization: 'advanced' })
  try {
    await new Promise<void>((resolve, reject) => {
      let running = 0
      const send = () => {
        const request = next()
        if (request === undefined) return
        running += 1
        child.send(request)
      }
      child.on('message', (outcome: Outcome) => {
        running -= 1
        onOutcome(outcome)
        send()
        if (running === 0) resolve()
      })
      child.on('error', reject)
      child.on('exit', (code, signal) => {
        reject(new Error(`A process that runs seeds has ended with ${signal ?? `code ${code}`}.`))
      })
      for (let ahead = 0; ahead < AHEAD; ahead++) send()
      if (running === 0) resolve()
    })
  } finally {
    if (child.connected) child.disconnect()
  }
}
