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

/** Runs seeds, by default all that the bug has, until one breaks a guarantee. */
export async function huntMutant(
  mutant: Mutant,
  seeds: Iterable<number> = upTo(mutant.seeds),
): Promise<Hunt> {
  const { mode } = mutant
  const library = await plantedLibrary(mutant)
  let tried = 0
  for (const seed of seeds) {
    tried += 1
    const drawn = drawnSettings(seed, SECONDS * 1_000, mutant.workloads)
    const made = mutant.settings?.(drawn) ?? drawn
    const settings = mode === undefined ? made : inMode(made, mode)
    const { violation } = await runSeed(library, settings)
    if (violation !== undefined) return { seeds: tried, seed, violation, settings }
  }
  return { seeds: tried, seed: undefined, violation: undefined, settings: undefined }
}

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
