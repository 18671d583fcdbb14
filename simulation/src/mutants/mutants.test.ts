import { describe, expect, it } from 'vitest'
import { MUTANTS } from './mutants.js'
import { occurrences } from './planted-library.js'

describe('every planted bug', () => {
  it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))('has its place: %s', (_name, mutant) => {
    expect(occurrences(mutant)).toBe(1)
  })
})
