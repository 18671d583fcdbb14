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
  {
    name: 'an operation of a queue is ended by a worker whose lease has passed on',
    mark: 'operation-is-ended-under-its-lease',
    kind: 'value',
    becomes: "'(lease = :lease OR attribute_exists(payload)) AND '.concat(seen)",
    seeds: 20,
    workloads: ['queue'],
  },
  {
    name: 'an operation of a queue is claimed by two workers',
    mark: 'operation-is-claimed-where-it-was-seen',
    kind: 'value',
    becomes: "'#due = :due OR attribute_exists(payload)'",
    seeds: 40,
    workloads: ['queue'],
  },
  {
    name: 'an operation does not wait for the one before of its entity',
    mark: 'operation-waits-for-the-one-before',
    kind: 'element',
    becomes: 'true',
    seeds: 40,
    workloads: ['queue'],
  },
]
