import * as library from 'isotherm'
import { runSeed } from './runs/run-seed.js'
import { drawnSettings, WORKLOADS } from './runs/settings.js'

const from = Number(process.argv[2] ?? 1)
const count = Number(process.argv[3] ?? 20)
const seconds = Number(process.argv[4] ?? 120)
let requests = 0
const t = performance.now()
for (let seed = from; seed < from + count; seed++) {
  const t0 = performance.now()
  const result = await runSeed(
    library,
    drawnSettings(seed, seconds * 1000, (process.argv[5]?.split(',') ?? WORKLOADS) as never),
    { keepsTrace: count === 1 },
  )
  requests += result.requests
  console.log(
    seed,
    result.settings.workload,
    result.settings.processes,
    Math.round(result.simulatedMilliseconds / 1000),
    result.hash,
    result.requests,
    result.countChanges,
    Math.round((result.requests / (performance.now() - t0)) * 1000),
    result.violation?.message ?? '',
  )
  if (count === 1) for (const l of result.lines) console.log(l.at.toFixed(1), l.who, l.what)
}
console.log(requests, Math.round((requests / (performance.now() - t)) * 1000), 'requests/s')
