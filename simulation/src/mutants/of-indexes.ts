import type { Mutant } from './mutant.js'
import { INDEXED } from './shown-by.js'

/** Bugs of the keys that the library keeps for indexes, and of queries by them. */
export const MUTANTS_OF_INDEXES: readonly Mutant[] = [
  {
    name: 'the key of an index is left when its attribute is removed',
    mark: 'index-key-goes-with-its-attribute',
    kind: 'condition',
    becomes: 'false',
    seeds: 20,
    workloads: INDEXED,
  },
  {
    name: 'the key of an index is set although its attribute stays',
    mark: 'index-key-stays-with-its-attribute',
    kind: 'value',
    becomes: 'this.#setValueOf(shadow, path, value.fallback)',
    seeds: 60,
    workloads: ['indexed-items'],
  },
  {
    name: 'a batch writes items without the keys of their indexes',
    mark: 'batch-writes-index-keys',
    kind: 'value',
    becomes: '{ ...others, PutRequest }',
    seeds: 20,
    workloads: ['indexed-items', 'pool'],
  },
  {
    name: 'a transaction updates items without the keys of their indexes',
    mark: 'transaction-writes-index-keys',
    kind: 'value',
    becomes: 'changed',
    seeds: 20,
    workloads: ['indexed-items', 'queue'],
  },
  {
    name: 'a query of an index forgets a shard',
    mark: 'index-query-asks-every-shard',
    kind: 'value',
    becomes:
      'Promise.resolve(route.viewOf(table, value, atLeast)).then((view) => ({ ...view, readable: Math.max(1, view.readable - 1) }))',
    seeds: 20,
    workloads: INDEXED,
  },
  {
    name: 'an entry of a dynamic index goes to a shard above its count',
    mark: 'index-entry-is-below-its-count',
    kind: 'value',
    becomes: 'indexShard(place, shards) + 1',
    seeds: 20,
    workloads: INDEXED,
  },
  {
    name: 'readers of a dynamic index forget the shards that were retired',
    mark: 'index-query-asks-retired-shards',
    kind: 'value',
    becomes: '({ ...view, readable: view.shards, validUntil: Number.POSITIVE_INFINITY })',
    seeds: 60,
    workloads: ['indexed-items'],
  },
  {
    name: 'a page of an index forgets what has the same sort key',
    mark: 'page-repeats-equal-sort-keys',
    kind: 'statement',
    becomes:
      "if (isBehind || inclusive) return { range: { ...range, [order.direction === 1 ? 'lower' : 'upper']: { value: place.sort, inclusive: false } }, startKey: undefined }",
    seeds: 60,
    workloads: ['indexed-items'],
  },
]
