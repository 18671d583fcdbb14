import { runRequest } from '../runs/shrink.js'
import { NO_ADJUSTMENTS } from '../runs/switches.js'
import type { Violation } from '../world/violation.js'
import type { Mutant } from './mutant.js'
import { plantedLibrary } from './planted-library.js'

/** What came of the hunt for one planted bug. */
export interface Hunt {
  /** Seeds that were tried. */
  readonly seeds: number
  /** The one that found it. */
  readonly seed: number | undefined
  readonly violation: Violation | undefined
}

/** Load of each run. */
const SECONDS = 90

/** Runs seeds, always the same ones, until one breaks a guarantee. */
export async function huntMutant(mutant: Mutant): Promise<Hunt> {
  const library = await plantedLibrary(mutant)
  for (let seed = 1; seed <= mutant.seeds; seed++) {
    const request = { seed, seconds: SECONDS, workloads: mutant.workloads, adjustments: NO_ADJUSTMENTS }
    const { violation } = await runRequest(library, request)
    if (violation !== undefined) return { seeds: seed, seed, violation }
  }
  return { seeds: mutant.seeds, seed: undefined, violation: undefined }
}
