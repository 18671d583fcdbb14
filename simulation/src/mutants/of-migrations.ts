import { whileTablesAreMigrated } from './made-settings.js'
import type { Mutant } from './mutant.js'
import { ITEMS, LOGS } from './shown-by.js'

/** Bugs of the change of the count that all keys without one of their own have. */
export const MUTANTS_OF_MIGRATIONS: readonly Mutant[] = [
  {
    name: 'a migration does not wait between its phases',
    mark: 'migration-waits',
    kind: 'statement',
    becomes: 'void part',
    seeds: 40,
    workloads: ITEMS,
    settings: whileTablesAreMigrated,
  },
  {
    name: 'a migration settles without a pass over the table',
    mark: 'migration-ends-with-a-pass',
    kind: 'value',
    becomes: '{ scanned: 0, moved: 0, twoCopies: 0 }',
    seeds: 40,
    workloads: ITEMS,
    settings: whileTablesAreMigrated,
  },
  {
    name: 'a random table writes to new shards before everybody reads them',
    mark: 'readers-know-new-shards-first',
    kind: 'value',
    becomes: 'resize(state, to, epochSeconds)',
    seeds: 40,
    workloads: LOGS,
    settings: whileTablesAreMigrated,
  },
  {
    name: 'two processes write the initial state at a time',
    mark: 'initial-state-is-locked',
    kind: 'value',
    becomes: "'attribute_exists(#settings)'",
    seeds: 200,
    workloads: ITEMS,
    settings: whileTablesAreMigrated,
  },
]
