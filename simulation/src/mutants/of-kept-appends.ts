import { whileColdKeysGrowUnheard } from './made-settings.js'
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
  {
    name: 'a write to the first shard does not demand that the item is there',
    mark: 'first-shard-must-have-the-item',
    kind: 'value',
    becomes: 'await placed.at(view, shard, { exists: false })',
    seeds: 20,
    workloads: KEPT,
    settings: whileColdKeysGrowUnheard,
  },
  {
    name: 'a missing item of the first shard is believed to be missing',
    mark: 'first-shard-proves-no-absence',
    kind: 'condition',
    becomes: "early.kind === 'answered'",
    seeds: 60,
    workloads: KEPT,
    settings: whileColdKeysGrowUnheard,
  },
]
