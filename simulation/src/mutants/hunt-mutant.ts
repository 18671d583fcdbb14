import { inMode } from '../runs/modes/modes.js'
import { runSeed } from '../runs/run-seed.js'
import { drawnSettings, type Settings } from '../runs/settings.js'
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
  /** Of the run that found it. */
  readonly settings: Settings | undefined
}

/** Load of each run. */
const SECONDS = 90

/** Runs seeds, always the same ones, until one breaks a guarantee. */
export async function huntMutant({ mode, ...mutant }: Mutant): Promise<Hunt> {
  const library = await plantedLibrary(mutant)
  for (let seed = 1; seed <= mutant.seeds; seed++) {
    const drawn = drawnSettings(seed, SECONDS * 1_000, mutant.workloads)
    const made = mutant.settings?.(drawn) ?? drawn
    const settings = mode === undefined ? made : inMode(made, mode)
    const { violation } = await runSeed(library, settings)
    if (violation !== undefined) return { seeds: seed, seed, violation, settings }
  }
  return { seeds: mutant.seeds, seed: undefined, violation: undefined, settings: undefined }
}
