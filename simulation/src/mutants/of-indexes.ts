import type { Mutant } from './mutant.js'
import { INDEXED } from './shown-by.js'

/** Bugs of the keys that the library keeps for indexes, and of queries by them. */
export const MUTANTS_OF_INDEXES: readonly Mutant[] = [
  {
    name: 'the key of an index is left when its attribute is removed',
    file: 'indexes/update-with-shadow-keys.js',
    text: 'if (remove.some((path) => isWhole({ path })))',
    replacement: 'if (false)',
    seeds: 20,
    workloads: INDEXED,
  },
  {
    name: 'the key of an index is set although its attribute stays',
    file: 'indexes/update-with-shadow-keys.js',
    text: "return { kind: 'if_not_exists', path, fallback: this.#setValueOf(shadow, path, value.fallback) };",
    replacement: 'return this.#setValueOf(shadow, path, value.fallback);',
    seeds: 60,
    workloads: ['indexed-items'],
  },
  {
    name: 'a batch writes items without the keys of their indexes',
    file: 'indexes/request-with-shadow-keys.js',
    text: "PutRequest: put(table, 'BatchWriteItem', PutRequest)",
    replacement: 'PutRequest',
    seeds: 20,
    workloads: ['indexed-items', 'pool'],
  },
  {
    name: 'a transaction updates items without the keys of their indexes',
    file: 'indexes/request-with-shadow-keys.js',
    text: 'Update: extended(tables.of(changed.TableName), changed, (table) => update(table, operation, changed))',
    replacement: 'Update: changed',
    seeds: 20,
    workloads: ['indexed-items', 'queue'],
  },
  {
    name: 'a query of an index forgets a shard',
    file: 'queries/query.js',
    text: "return fixedView(route.kind === 'sharded' ? route.shards.count() : 1);",
    replacement: "return fixedView(route.kind === 'sharded' ? Math.max(1, route.shards.count() - 1) : 1);",
    seeds: 20,
    workloads: INDEXED,
  },
  {
    name: 'a page of an index forgets what has the same sort key',
    file: 'queries/shard-query.js',
    text: 'return { range: from(range, place.sort, order.direction), startKey: undefined };\n    if (!source.isUnique && shard',
    replacement:
      'return { range: after(range, place.sort, order.direction), startKey: undefined };\n    if (!source.isUnique && shard',
    seeds: 60,
    workloads: ['indexed-items'],
  },
]
