import type { Mutant } from './mutant.js'
import { ITEMS } from './shown-by.js'

/** Bugs of the card of a table, which says for most keys that nothing has changed. */
export const MUTANTS_OF_CARDS: readonly Mutant[] = [
  {
    name: 'a key is listed after it has changed',
    mark: 'key-is-listed-before-it-changes',
    kind: 'statement',
    becomes: 'void this.#options.clock.sleep(2_000).then(() => cards?.list(key, seen.initialAsOf))',
    seeds: 20,
    workloads: ITEMS,
  },
  {
    name: 'a card is used forever',
    mark: 'card-has-a-lifetime',
    kind: 'value',
    becomes: 'Number.POSITIVE_INFINITY',
    seeds: 60,
    workloads: ITEMS,
  },
]
