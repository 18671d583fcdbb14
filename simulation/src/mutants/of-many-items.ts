import { whileAnswersAreLost, whileAttemptsOvertake, whileItemsMove } from './made-settings.js'
import type { Mutant } from './mutant.js'

const INDEXED = ['indexed-items', 'queue', 'pool'] as const
const TOGETHER = ['shared-items', 'transfers', 'search', 'queue'] as const

/** Bugs of the keys that the library keeps for indexes, and of queries by them. */
const OF_INDEXES: readonly Mutant[] = [
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

/** Bugs of batches and transactions. */
const OF_REQUESTS_ABOUT_MANY: readonly Mutant[] = [
  {
    name: 'a batch looks on where an item was found',
    file: 'batches/item-search.js',
    text: "stage === 0 || outcomes.get(target)?.kind === 'missing'",
    replacement: 'true',
    seeds: 100,
    workloads: ['shared-items', 'search'],
  },
  {
    name: 'a batch looks at the new place before the old one',
    file: 'batches/item-search.js',
    text: 'stages: stages.filter((shards) => shards.length > 0)',
    replacement: 'stages: stages.filter((shards) => shards.length > 0).reverse()',
    seeds: 100,
    workloads: ['shared-items'],
    settings: whileItemsMove,
  },
  {
    name: 'a batch writes over items that are being moved',
    file: 'batches/batch-write-plan.js',
    text: "return options.shards.kind === 'dynamic';",
    replacement: 'return false;',
    seeds: 100,
    workloads: ['shared-items', 'pool', 'indexed-items'],
  },
  {
    name: 'a transaction does not check the other place',
    file: 'transactions/place-members.js',
    text: "[ownAction(member, home, 'missing'), ...elsewhere.map((shard) => absenceCheck(member, shard))]",
    replacement: "[ownAction(member, home, 'missing')]",
    seeds: 400,
    workloads: TOGETHER,
  },
  {
    name: 'a transaction creates items at their old place',
    file: 'transactions/place-members.js',
    text: 'const home = placement.home(view, itemKey);',
    replacement: 'const [home] = placement.candidates(view, itemKey);',
    seeds: 200,
    workloads: TOGETHER,
  },
  {
    name: 'a transaction does not respect a mark',
    file: 'transactions/placed-action.js',
    text: "unmoved: kind !== 'ConditionCheck' && itemsMayMove(options) };\n    const placed",
    replacement: 'unmoved: false };\n    const placed',
    seeds: 40,
    workloads: ['transfers'],
    settings: whileItemsMove,
  },
  {
    name: 'a transaction does not demand that the item is there',
    file: 'transactions/placed-action.js',
    text: "exists: expects === 'there',",
    replacement: 'exists: false,',
    seeds: 400,
    workloads: TOGETHER,
  },
  {
    name: 'a transaction without an answer is sent under another name',
    file: 'transactions/transaction-call.js',
    text: 'if (this.#token === undefined || this.#log.unanswered === undefined)',
    replacement: 'if (true)',
    seeds: 40,
    workloads: ['transfers'],
    settings: whileAnswersAreLost,
  },
  {
    name: 'a transaction takes a refusal for the answer to an attempt before it',
    file: 'transactions/transaction-call.js',
    text: 'const reasons = cancellation.CancellationReasons ?? [];',
    replacement: 'this.#log.unanswered = undefined; const reasons = cancellation.CancellationReasons ?? [];',
    seeds: 60,
    workloads: ['transfers'],
    settings: whileAttemptsOvertake,
  },
  {
    name: 'a reading transaction looks at the old place alone',
    file: 'transactions/transact-get-items.js',
    text: 'const places = placementIn(table).candidates(view, itemKey);',
    replacement: 'const places = placementIn(table).candidates(view, itemKey).slice(0, 1);',
    seeds: 20,
    workloads: ['shared-items', 'transfers', 'search'],
  },
]

/** Bugs that show where several items are written or read together. */
export const MUTANTS_OF_MANY_ITEMS: readonly Mutant[] = [...OF_INDEXES, ...OF_REQUESTS_ABOUT_MANY]
