import type { Mutant } from './mutant.js'
import { KEPT } from './shown-by.js'

/** Bugs of finding an append by its key. */
export const MUTANTS_OF_KEPT_APPENDS: readonly Mutant[] = [
  {
    name: 'an append is looked for in the shards in use alone',
    mark: 'append-is-sought-in-retired-shards',
    kind: 'value',
    becomes: '({ shards }) => Array.from({ length: shards }, (_, index) => shards - index)',
    seeds: 60,
    workloads: KEPT,
  },
  {
    name: 'a transaction takes each put for an append',
    mark: 'conditional-put-is-no-append',
    kind: 'value',
    becomes: "table.placementKind === 'random' && kind === 'Put'",
    seeds: 20,
    workloads: KEPT,
  },
]
