import type { Library } from '../world/library.js'
import { type RunResult, runSeed } from './run-seed.js'
import { drawnSettings, type Settings, type WorkloadName } from './settings.js'
import { type Adjustments, adjusted, SWITCHES } from './switches.js'

/** What a run is made from: everything that the command line says of it. */
export interface Request {
  readonly seed: number
  readonly seconds: number
  readonly workloads: readonly WorkloadName[]
  readonly adjustments: Adjustments
}

/** Runs a seed as asked for. */
export function runRequest(library: Library, request: Request, keepsTrace = false): Promise<RunResult> {
  return runSeed(library, settingsOf(request), { keepsTrace })
}

/** How many runs a search for a shorter trace may take. */
const MAX_RUNS = 60

/**
 * Looks for a smaller run that breaks the same guarantee: with fewer kinds of faults, fewer processes, less load, a shorter
 * time. What is left is what it takes.
 */
export async function shrink(library: Library, failing: Request, rule: string): Promise<Request> {
  let best = failing
  let runs = 0
  const fails = async (candidate: Request): Promise<boolean> => {
    if (runs >= MAX_RUNS) return false
    runs += 1
    const { violation } = await runRequest(library, candidate)
    if (violation?.rule !== rule) return false
    best = candidate
    return true
  }
  for (const [name, off] of Object.entries(SWITCHES)) {
    const settings = settingsOf(best)
    const isOff = JSON.stringify(off(settings)) === JSON.stringify(settings)
    if (isOff) continue
    await fails(withAdjustments(best, { without: [...best.adjustments.without, name] }))
  }
  for (const processes of [1, 2, 3, 5, 10]) {
    if (processes >= settingsOf(best).processes) break
    if (await fails(withAdjustments(best, { processes }))) break
  }
  while (best.seconds >= 10 && (await fails({ ...best, seconds: Math.floor(best.seconds / 2) })));
  for (const writesPerSecond of [1, 2, 5, 10]) {
    if (await fails(withAdjustments(best, { writesPerSecond }))) break
  }
  return best
}

function settingsOf({ seed, seconds, workloads, adjustments }: Request): Settings {
  return adjusted(drawnSettings(seed, seconds * 1_000, workloads), adjustments)
}

function withAdjustments(request: Request, part: Partial<Adjustments>): Request {
  return { ...request, adjustments: { ...request.adjustments, ...part } }
}

/** The one command that repeats a run. */
export function commandOf({ seed, seconds, workloads, adjustments }: Request): string {
  const { without, processes, writesPerSecond, lateness } = adjustments
  const parts = [`--seed ${seed}`, `--seconds ${seconds}`, `--workload ${workloads.join(',')}`]
  if (without.length > 0) parts.push(`--without ${without.join(',')}`)
  if (processes !== undefined) parts.push(`--processes ${processes}`)
  if (writesPerSecond !== undefined) parts.push(`--writes ${writesPerSecond}`)
  if (lateness !== 1) parts.push(`--lateness ${lateness}`)
  return `npm run simulate -- ${parts.join(' ')} --trace`
}
