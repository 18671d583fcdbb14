import { whileAnswersAreLost, whileAttemptsOvertake, whileItemsMove } from './made-settings.js'
import type { Mutant } from './mutant.js'
import { TOGETHER } from './shown-by.js'

/** Bugs of batches and transactions. */
export const MUTANTS_OF_MANY_ITEMS: readonly Mutant[] = [
  {
    name: 'a batch looks on where an item was found',
    mark: 'batch-seeks-missing-items-only',
    kind: 'value',
    becomes: 'searches',
    seeds: 100,
    workloads: ['shared-items', 'search'],
  },
  {
    name: 'a batch does not look at the new place again',
    mark: 'batch-seeks-again',
    kind: 'value',
    becomes: '1',
    seeds: 100,
    workloads: ['shared-items'],
    settings: whileItemsMove,
  },
  {
    name: 'a batch writes over items that are being moved',
    mark: 'batch-writes-no-moving-item',
    kind: 'value',
    becomes: 'false',
    seeds: 100,
    workloads: ['shared-items', 'pool', 'indexed-items'],
  },
  {
    name: 'a transaction creates items at their old place',
    mark: 'transaction-creates-at-home',
    kind: 'statement',
    becomes: 'const [home = 1] = places',
    seeds: 200,
    workloads: TOGETHER,
  },
  {
    name: 'a transaction does not respect a mark',
    mark: 'transaction-guards-its-item',
    kind: 'value',
    becomes: '{ ...$&, unmoved: false }',
    seeds: 40,
    workloads: ['transfers'],
    settings: whileItemsMove,
  },
  {
    name: 'a transaction does not demand that the item is there',
    mark: 'transaction-guards-its-item',
    kind: 'value',
    becomes: '{ ...$&, exists: false }',
    seeds: 400,
    workloads: TOGETHER,
  },
  {
    name: 'a transaction without an answer is sent under another name',
    mark: 'unanswered-transaction-keeps-its-token',
    kind: 'condition',
    becomes: 'true',
    seeds: 40,
    workloads: ['transfers'],
    settings: whileAnswersAreLost,
  },
  {
    name: 'a transaction takes a refusal for the answer to an attempt before it',
    mark: 'refusal-answers-no-earlier-attempt',
    kind: 'statement',
    becomes: 'budget.unanswered = undefined; $&',
    seeds: 120,
    workloads: ['transfers'],
    settings: whileAttemptsOvertake,
  },
  {
    name: 'a reading transaction looks at the old place alone',
    mark: 'transaction-reads-every-place',
    kind: 'value',
    becomes: '$&.slice(0, 1)',
    seeds: 20,
    workloads: ['shared-items', 'transfers', 'search'],
  },
]
