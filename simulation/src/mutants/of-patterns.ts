import type { Mutant } from './mutant.js'

/** Bugs of the table patterns. */
export const MUTANTS_OF_PATTERNS: readonly Mutant[] = [
  {
    name: 'a token is counted again',
    mark: 'token-is-counted-once',
    kind: 'value',
    becomes: "'attribute_not_exists(#key) OR attribute_exists(#key)'",
    seeds: 20,
    workloads: ['counter'],
  },
  {
    name: 'a closed shard of a counter takes counts',
    mark: 'closed-shard-takes-no-count',
    kind: 'value',
    becomes: "'attribute_not_exists(closed) OR closed < :generation OR closed >= :generation'",
    seeds: 40,
    workloads: ['counter'],
  },
  {
    name: 'a counter is read while counts move',
    mark: 'nothing-moves-while-a-counter-is-read',
    kind: 'condition',
    becomes: 'after.moves >= head.moves',
    seeds: 40,
    workloads: ['counter'],
  },
  {
    name: 'an item of a pool is claimed twice',
    mark: 'item-is-claimed-where-it-was-seen',
    kind: 'value',
    becomes: "'#place = :place OR attribute_not_exists(#place)'",
    seeds: 20,
    workloads: ['pool'],
  },
  {
    name: 'an item of a pool is released by another claim',
    mark: 'item-is-released-by-its-holder',
    kind: 'value',
    becomes: "'(claim = :claim OR attribute_exists(claim)) AND attribute_not_exists(used_at)'",
    seeds: 100,
    workloads: ['pool'],
  },
]
