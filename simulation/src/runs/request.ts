import type { Library } from '../world/library.js'
import { inMode, withDrawnMode, workloadsOf } from './modes/modes.js'
import { type RunResult, runSeed } from './run-seed.js'
import { drawnSettings, type Settings, WORKLOADS, type WorkloadName } from './settings.js'
import { type Adjustments, adjusted } from './switches.js'

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

/** What is drawn for the seed, with what was asked for beside it. */
export function settingsOf({ seed, seconds, workloads, adjustments }: Request): Settings {
  const { mode } = adjustments
  const isChosen = mode !== undefined && mode !== 'none'
  const drawn = drawnSettings(seed, seconds * 1_000, isChosen ? workloadsOf(mode, workloads) : workloads)
  if (isChosen) return adjusted(inMode(drawn, mode), adjustments)
  return adjusted(mode === 'none' ? drawn : withDrawnMode(drawn), adjustments)
}

/** The one command that repeats a run. */
export function commandOf({ seed, seconds, workloads, adjustments }: Request): string {
  const { without, processes, writesPerSecond, lateness, mode } = adjustments
  const parts = [`--seed ${seed}`, `--seconds ${seconds}`]
  if (workloads.join() !== WORKLOADS.join()) parts.push(`--workload ${workloads.join(',')}`)
  if (mode !== undefined) parts.push(`--mode ${mode}`)
  if (without.length > 0) parts.push(`--without ${without.join(',')}`)
  if (processes !== undefined) parts.push(`--processes ${processes}`)
  if (writesPerSecond !== undefined) parts.push(`--writes ${writesPerSecond}`)
  if (lateness !== 1) parts.push(`--lateness ${lateness}`)
  return `npm run simulate -- ${parts.join(' ')} --trace`
}
