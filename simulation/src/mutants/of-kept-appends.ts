import type { Mutant } from './mutant.js'
import { KEPT } from './shown-by.js'

/** Bugs of finding an append by its key. */
export const MUTANTS_OF_KEPT_APPENDS: readonly Mutant[] = [
  {
    name: 'an append is looked for in the shards in use alone',
    file: 'protocol/placement/placement.js',
    text: 'candidates: ({ readable }) => Array.from({ length: readable }, (_, index) => readable - index)',
    replacement: 'candidates: ({ shards }) => Array.from({ length: shards }, (_, index) => shards - index)',
    seeds: 60,
    workloads: KEPT,
  },
  {
    name: 'a transaction takes each put for an append',
    file: 'transactions/place-members.js',
    text: "kind === 'Put' && action.ConditionExpression === undefined",
    replacement: "kind === 'Put'",
    seeds: 20,
    workloads: KEPT,
  },
]
