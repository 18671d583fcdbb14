import { type Hunt, huntMutant } from './hunt-mutant.js'
import { lastSeeds } from './last-seeds.js'
import type { Mutant } from './mutant.js'

/** Hunts a planted bug, beginning with the seed that found it last: the seeds before it show nothing in most versions of the library. */
export async function findMutant(mutant: Mutant): Promise<Hunt> {
  const last = lastSeeds().get(mutant.name)
  if (last !== undefined && last > 1 && last <= mutant.seeds) {
    const found = await huntMutant(mutant, [last])
    if (found.violation !== undefined) return found
  }
  return huntMutant(mutant)
}
