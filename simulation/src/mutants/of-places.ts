import { whileItemsMove, whileManyCreateFewItems, whileReplicasLag } from './made-settings.js'
import type { Mutant } from './mutant.js'
import { ITEMS } from './shown-by.js'

/** Bugs of where an item is looked for, and written to. */
export const MUTANTS_OF_PLACES: readonly Mutant[] = [
  {
    name: 'the old place is forgotten',
    mark: 'moving-item-has-two-places',
    kind: 'value',
    becomes: 'from === to ? [from] : [to]',
    seeds: 20,
    workloads: ITEMS,
  },
  {
    name: 'the new place is forgotten',
    mark: 'moving-item-has-two-places',
    kind: 'value',
    becomes: '[from]',
    seeds: 20,
    workloads: ITEMS,
  },
  {
    name: 'items are created at the new place at once',
    mark: 'item-is-created-at-its-old-place',
    kind: 'value',
    becomes:
      "({ shards, moves }, key) => place(placeHash(source(key)), moves?.kind === 'change' ? moves.to : shards)",
    seeds: 300,
    workloads: ITEMS,
  },
  {
    name: 'places are remainders of the hash',
    mark: 'place-is-a-jump-hash',
    kind: 'value',
    becomes: 'Number(hash % BigInt(shards)) + 1',
    seeds: 60,
    workloads: ITEMS,
  },
  {
    name: 'a write does not respect a mark',
    mark: 'write-respects-a-move',
    kind: 'condition',
    becomes: 'false',
    seeds: 200,
    workloads: ITEMS,
  },
  {
    name: 'a write does not demand that the item is there',
    mark: 'write-demands-its-item',
    kind: 'condition',
    becomes: 'false',
    seeds: 200,
    workloads: ITEMS,
  },
  {
    name: 'a creation does not check the other place',
    mark: 'creation-checks-other-places',
    kind: 'value',
    becomes: '[creation(placed, home)]',
    seeds: 300,
    workloads: ITEMS,
  },
  {
    name: 'a creation does not check its own place',
    mark: 'creation-checks-its-own-place',
    kind: 'value',
    becomes: '{ Put: { TableName: call.tableName, Item } }',
    seeds: 300,
    workloads: ITEMS,
  },
  {
    name: 'a creation is plain too early',
    mark: 'creation-is-plain-at-last',
    kind: 'condition',
    becomes: 'view.state !== undefined',
    seeds: 100,
    workloads: ITEMS,
    settings: whileManyCreateFewItems,
  },
  {
    name: 'the new place is not looked at again',
    mark: 'missing-item-is-sought-again',
    kind: 'expression',
    becomes: '$&.slice(0, 1)',
    seeds: 100,
    workloads: ['shared-items'],
    settings: whileItemsMove,
  },
  {
    name: 'an item is looked for in a stale replica',
    mark: 'item-is-sought-consistently',
    kind: 'value',
    becomes: 'false',
    seeds: 200,
    workloads: ITEMS,
  },
  {
    name: 'a consistent read asks any replica',
    mark: 'read-keeps-its-consistency',
    kind: 'value',
    becomes:
      'new GetItemCommand({ ...input, Key: Key as NonNullable<typeof input.Key>, ConsistentRead: false })',
    seeds: 20,
    workloads: ['counters'],
    settings: whileReplicasLag,
  },
]
