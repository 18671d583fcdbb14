import { whileAttemptsOvertake } from './made-settings.js'
import type { Mutant } from './mutant.js'
import { ITEMS, LOGS } from './shown-by.js'

/** Bugs of moves. */
export const MUTANTS_OF_MOVES: readonly Mutant[] = [
  {
    name: 'a copy keeps the mark of its move',
    file: 'protocol/moves/carry-over.js',
    text: 'const { [MOVE_ATTRIBUTES.moving]: _mark, ...content } = item;',
    replacement: 'const content = item;',
    seeds: 60,
    workloads: ITEMS,
  },
  {
    name: 'an item is put and never deleted',
    file: 'protocol/moves/carry-over.js',
    text: '{ Delete: deleteOf(table, key, source, name) },',
    replacement: '',
    seeds: 20,
    workloads: ITEMS,
  },
  {
    name: 'retired shards are emptied from the first one on',
    file: 'protocol/shard-map/count-change.js',
    text: '.reverse()',
    replacement: '',
    seeds: 400,
    workloads: ['bulk-import'],
  },
  {
    name: 'a drain stops at two copies of one item',
    file: 'protocol/moves/carry-over.js',
    text: 'if (isSameItem(table.options, item, other)) {',
    replacement: "if (isSameItem(table.options, item, other)) { return { outcome: 'two-copies', target };",
    seeds: 60,
    workloads: LOGS,
    settings: whileAttemptsOvertake,
  },
]
