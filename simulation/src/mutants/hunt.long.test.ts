import { expect, it } from 'vitest'
import { HUNT_MILLISECONDS, halfOfMutants } from './hunt-half.js'
import { huntMutant } from './hunt-mutant.js'

it.each(halfOfMutants(0))(
  'the simulator finds that $name',
  async (mutant) => {
    const { violation } = await huntMutant(mutant)
    expect(violation).toBeDefined()
  },
  HUNT_MILLISECONDS,
)
