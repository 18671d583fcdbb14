import { whileItemsMove } from './made-settings.js'
import type { Mutant } from './mutant.js'
import { ITEMS } from './shown-by.js'

/** Bugs of where an item is looked for, and written to. */
export const MUTANTS_OF_PLACES: readonly Mutant[] = [
  {
    name: 'the old place is forgotten',
    file: 'placement/placement.js',
    text: '[from] : [from, to]',
    replacement: '[from] : [to]',
    seeds: 20,
    workloads: ITEMS,
  },
  {
    name: 'the new place is forgotten',
    file: 'placement/placement.js',
    text: '[from] : [from, to]',
    replacement: '[from] : [from]',
    seeds: 20,
    workloads: ITEMS,
  },
  {
    name: 'items are created at the new place at once',
    file: 'placement/placement.js',
    text: 'home: ({ shards }, key) => place(placeHash(source(key)), shards),',
    replacement: 'home: ({ shards, change }, key) => place(placeHash(source(key)), change?.to ?? shards),',
    seeds: 300,
    workloads: ITEMS,
  },
  {
    name: 'places are remainders of the hash',
    file: 'placement/placement.js',
    text: 'return jump(hash, shards) + 1;',
    replacement: 'return Number(hash % BigInt(shards)) + 1;',
    seeds: 60,
    workloads: ITEMS,
  },
  {
    name: 'a write does not respect a mark',
    file: 'writes/write-condition.js',
    text: 'if (guards.unmoved)',
    replacement: 'if (false)',
    seeds: 200,
    workloads: ITEMS,
  },
  {
    name: 'a write does not demand that the item is there',
    file: 'writes/write-condition.js',
    text: 'if (guards.exists) {',
    replacement: 'if (false) {',
    seeds: 200,
    workloads: ITEMS,
  },
  {
    name: 'a creation does not check the other place',
    file: 'writes/create-item.js',
    text: '[creation(placed, home), ...checks(placed, view, home)]',
    replacement: '[creation(placed, home)]',
    seeds: 300,
    workloads: ITEMS,
  },
  {
    name: 'a creation does not check its own place',
    file: 'writes/create-item.js',
    text: 'return { Put: { TableName: call.tableName, Item, ...nothingThere(partitionKey) } };',
    replacement: 'return { Put: { TableName: call.tableName, Item } };',
    seeds: 300,
    workloads: ITEMS,
  },
  {
    name: 'the new place is not looked at again',
    file: 'reads/locate-copies.js',
    text: 'if (copies.length > 0 || targets.length === places.length)',
    replacement: 'if (true)',
    seeds: 100,
    workloads: ['shared-items'],
    settings: whileItemsMove,
  },
  {
    name: 'an item is looked for in a stale replica',
    file: 'writes/write-item.js',
    text: 'ConsistentRead: true,',
    replacement: 'ConsistentRead: false,',
    seeds: 200,
    workloads: ITEMS,
  },
]
