import { whileAnswersAreLost, whileAttemptsOvertake, whileItemsMove } from './made-settings.js'
import type { Mutant } from './mutant.js'
import { TOGETHER } from './shown-by.js'

/** Bugs of batches and transactions. */
export const MUTANTS_OF_MANY_ITEMS: readonly Mutant[] = [
  {
    name: 'a batch looks on where an item was found',
    file: 'reads/item-search.js',
    text: 'look === 0 || isMissing(outcomes.get(target))',
    replacement: 'true',
    seeds: 100,
    workloads: ['shared-items', 'search'],
  },
  {
    name: 'a batch does not look at the new place again',
    file: 'reads/item-search.js',
    text: 'Math.max(1, ...searches.map((search) => search.looks.length))',
    replacement: '1',
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
    text: 'if (this.#token === undefined || this.#budget.log.unanswered === undefined)',
    replacement: 'if (true)',
    seeds: 40,
    workloads: ['transfers'],
    settings: whileAnswersAreLost,
  },
  {
    name: 'a transaction takes a refusal for the answer to an attempt before it',
    file: 'transactions/transaction-call.js',
    text: 'const reasons = cancellation.CancellationReasons ?? [];',
    replacement:
      'this.#budget.log.unanswered = undefined; const reasons = cancellation.CancellationReasons ?? [];',
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
