import type { Mutant } from './mutant.js'
import { MUTANTS } from './mutants.js'

/** Hundreds of seeds, for the bugs that show the least. */
export const HUNT_MILLISECONDS = 600_000

/** Every second planted bug. The hunt is in two files, so that two processes share it. */
export function halfOfMutants(half: 0 | 1): readonly Mutant[] {
  return MUTANTS.filter((_mutant, index) => index % 2 === half)
}
