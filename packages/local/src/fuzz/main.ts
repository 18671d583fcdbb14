import { fork } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { SystemClock } from '@isotherm/runtime'
import { fuzz } from './fuzz.js'
import { withFuzzRun } from './fuzz-section.js'
import { makeBuckets } from './make-buckets.js'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    connections: { type: 'string', default: '16' },
    write: { type: 'string' },
  },
})
const [requests, seed, connections] = [values.requests, values.seed, values.connections].map(Number)
if (![requests, seed, connections].every((number) => Number.isSafeInteger(number) && Number(number) > 0)) {
  throw new RangeError('--requests, --seed and --connections must be whole numbers above 0.')
}

const buckets = makeBuckets()
const server = fork(fileURLToPath(new URL('server.js', import.meta.url)), [buckets])
const bugs: string[] = []
let crash: string | undefined
const onExit = (code: number | null, signal: string | null) => {
  crash = `the server ended with ${code ?? signal}`
}
server.on('exit', onExit)
const port = await new Promise<number>((resolve) => {
  server.on('message', (message: { readonly port: number } | { readonly bug: string }) => {
    if ('port' in message) resolve(message.port)
    else bugs.push(message.bug)
  })
})
const clock = new SystemClock()
const from = clock.now()
const onProgress = (sent: number) => console.log(`${sent} sent`)
const report = await fuzz({
  port,
  requests: requests ?? 0,
  seed: seed ?? 0,
  connections: connections ?? 0,
  onProgress,
})
const seconds = (clock.now() - from) / 1000
const faults = [...report.faults, ...bugs, ...(crash === undefined ? [] : [crash])]
console.log(
  `${report.requests} requests in ${seconds.toFixed(0)} s, seed ${seed}, ${connections} connections: ${faults.length} faults`,
)
for (const [status, count] of [...report.statuses].sort()) console.log(`  ${status}: ${count}`)
for (const fault of faults) console.log(fault)
if (values.write !== undefined) {
  const date = new Date(clock.now()).toISOString().slice(0, 10)
  const run = { ...report, faults, seed: seed ?? 0, connections: connections ?? 0, date }
  writeFileSync(values.write, withFuzzRun(readFileSync(values.write, 'utf8'), run))
}
server.off('exit', onExit)
server.once('exit', () => rmSync(buckets, { recursive: true, force: true }))
server.kill()
process.exitCode = faults.length === 0 ? 0 : 1
