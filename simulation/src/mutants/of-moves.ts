import { whileAttemptsOvertake } from './made-settings.js'
import type { Mutant } from './mutant.js'
import { ITEMS, LOGS } from './shown-by.js'

/** Bugs of moves. */
export const MUTANTS_OF_MOVES: readonly Mutant[] = [
  {
    name: 'a copy keeps the mark of its move',
    mark: 'copy-loses-the-name-of-its-move',
    kind: 'statement',
    becomes: 'const content = item',
    seeds: 60,
    workloads: ITEMS,
  },
  {
    name: 'an item is put and never deleted',
    mark: 'move-deletes-its-source',
    kind: 'element',
    becomes: '',
    seeds: 20,
    workloads: ITEMS,
  },
  {
    name: 'retired shards are emptied from the first one on',
    mark: 'last-shard-is-emptied-first',
    kind: 'value',
    becomes: '$&.reverse()',
    seeds: 100,
    workloads: ['bulk-import'],
    settings: whileAttemptsOvertake,
  },
  {
    name: 'a drain stops at two copies of one item',
    mark: 'equal-copies-are-one',
    kind: 'value',
    becomes: "'two-copies'",
    seeds: 60,
    workloads: LOGS,
    settings: whileAttemptsOvertake,
  },
]
