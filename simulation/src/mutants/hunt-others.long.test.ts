import { expect, it } from 'vitest'
import { findMutant } from './find-mutant.js'
import { HUNT_MILLISECONDS, halfOfMutants } from './hunt-half.js'

it.each(halfOfMutants(1))(
  'the simulator finds that $name',
  async (mutant) => {
    const { violation } = await findMutant(mutant)
    expect(violation).toBeDefined()
  },
  HUNT_MILLISECONDS,
)
