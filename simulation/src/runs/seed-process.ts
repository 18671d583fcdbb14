import { LIBRARY as library } from '../world/library.js'
import { type Request, runRequest } from './request.js'
import type { Outcome } from './seed-processes.js'
import { tallyOf } from './tally.js'

// A process that `runSeeds` starts: runs the seeds that it is sent, one after the other, and ends with its parent.

let last: Promise<void> = Promise.resolve()
process.on('message', (request: Request) => {
  last = last.then(() => run(request))
})
// Nobody hears of what is under way.
process.on('disconnect', () => process.exit())

async function run(request: Request): Promise<void> {
  const cpuFrom = process.cpuUsage()
  const result = await runRequest(library, request)
  const { user, system } = process.cpuUsage(cpuFrom)
  const outcome: Outcome = {
    request,
    tally: tallyOf(result),
    brokenRule: result.violation?.rule,
    cpuMilliseconds: (user + system) / 1_000,
  }
  if (process.connected) process.send?.(outcome)
}
