import type { Mutant } from './mutant.js'

/** Bugs of tables for periods. */
export const MUTANTS_OF_ROTATION: readonly Mutant[] = [
  {
    name: 'a writer does not look again which periods are closed',
    mark: 'view-of-periods-has-an-end',
    kind: 'condition',
    becomes: 'this.#view !== undefined',
    seeds: 200,
    workloads: ['rotation'],
  },
  {
    name: 'an archive does not wait for writers',
    mark: 'archive-waits-for-writers',
    kind: 'statement',
    becomes: '',
    seeds: 200,
    workloads: ['rotation'],
  },
  {
    name: 'a writer takes a closed period for open',
    mark: 'closed-period-takes-no-writes',
    kind: 'condition',
    becomes: "state === undefined || state !== 'dropped'",
    seeds: 200,
    workloads: ['rotation'],
  },
  {
    name: 'a cursor forgets the item behind which its page begins',
    mark: 'page-begins-where-the-last-ended',
    kind: 'value',
    becomes: 'undefined as Item | undefined',
    seeds: 20,
    workloads: ['rotation'],
  },
  {
    name: 'the tables of a backward query are read forward',
    mark: 'tables-are-read-in-order',
    kind: 'value',
    becomes: 'covering',
    seeds: 20,
    workloads: ['rotation'],
  },
]
