import type { Mutant } from './mutant.js'
import { ITEMS } from './shown-by.js'

/** Bugs of the protocol that changes a calculated key's count. */
export const MUTANTS_OF_CHANGES: readonly Mutant[] = [
  {
    name: 'a change begins with its second phase',
    mark: 'change-begins-announced',
    kind: 'value',
    becomes: "{ ...$&, shards: to, phase: 'moved' } as never",
    seeds: 20,
    workloads: ITEMS,
  },
  {
    name: 'a driver does not wait',
    mark: 'driver-waits',
    kind: 'statement',
    becomes: '',
    seeds: 60,
    workloads: ITEMS,
  },
  {
    name: 'a driver waits for no cache',
    mark: 'driver-waits-for-caches-and-late-requests',
    kind: 'value',
    becomes: 'lateRequestMilliseconds - cacheMilliseconds',
    seeds: 400,
    workloads: ITEMS,
  },
  {
    name: 'a driver waits for no late request',
    mark: 'driver-waits-for-caches-and-late-requests',
    kind: 'value',
    becomes: 'cacheMilliseconds',
    seeds: 400,
    workloads: ITEMS,
  },
  {
    name: 'a change settles before its items are moved',
    mark: 'items-move-before-a-change-settles',
    kind: 'statement',
    becomes: 'const twoCopies = 0',
    seeds: 20,
    workloads: ITEMS,
  },
  {
    name: 'a change that was left is not taken over',
    mark: 'abandoned-change-is-claimed',
    kind: 'condition',
    becomes: 'true',
    seeds: 60,
    workloads: ITEMS,
  },
  {
    name: 'the shard map has no lock',
    mark: 'shard-map-is-locked',
    kind: 'value',
    becomes: "'attribute_exists(#lastUpdated) OR #lastUpdated = :seen'",
    seeds: 100,
    workloads: ITEMS,
  },
  {
    name: 'attempts do not look at the age of their view',
    mark: 'view-has-an-end',
    kind: 'condition',
    becomes: 'false',
    mode: 'slow-shard-map',
    seeds: 60,
    workloads: ITEMS,
  },
]
