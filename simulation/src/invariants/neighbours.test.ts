import { describe, expect, it } from 'vitest'
import { checkNeighbour } from './neighbours.js'

const workload = { neighbours: () => ['cold'] }

describe('a neighbour of a hot key', () => {
  it('breaks a rule at the moment when it gets more shards', () => {
    expect(() => checkNeighbour(workload, 'cold', 2, 1)).toThrow(
      'neighbours do not scale: cold gets 2 shards',
    )
  })

  it('may go back to the count that it began with', () => {
    expect(() => checkNeighbour(workload, 'cold', 1, 1)).not.toThrow()
  })

  it('is none while much is written to it', () => {
    expect(() => checkNeighbour(workload, 'hot', 2, 1)).not.toThrow()
  })
})
