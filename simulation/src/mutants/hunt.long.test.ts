import { expect, it } from 'vitest'
import { huntMutant } from './hunt-mutant.js'
import { MUTANTS } from './mutants.js'

/** Hundreds of seeds, for the bugs that show the least. */
const TIMEOUT_MILLISECONDS = 600_000

it.each(MUTANTS)(
  'the simulator finds that $name',
  async (mutant) => {
    const { violation } = await huntMutant(mutant)
    expect(violation).toBeDefined()
  },
  TIMEOUT_MILLISECONDS,
)
