import { runCelebrity } from '../patterns/celebrity-scenario.js'
import { runCounter } from '../patterns/counter-scenario.js'
import { runFlashSale } from '../patterns/flash-sale-scenario.js'
import { runLarge } from '../patterns/large-scenario.js'
import { runPool } from '../patterns/pool-scenario.js'
import { runQueue } from '../patterns/queue-scenario.js'
import { runRotation } from '../patterns/rotation-scenario.js'
import { runSearch } from '../patterns/search-scenario.js'
import { HOT_FILE } from './hot-file-scenario.js'
import { type ComparedWays, patternScenario } from './pattern-scenario.js'
import type { Scenario } from './scenario.js'

/** The scenarios that compare two ways to do the same, in the order of the help. */
export const PATTERNS: readonly ComparedWays[] = [
  {
    name: 'counter',
    title: 'Campaign counter',
    description: 'a campaign on air: one counter with several times what a partition takes',
    sides: ['one item, ADD', 'isotherm/counter'],
    run: runCounter,
  },
  {
    name: 'flash-sale',
    title: 'Flash sale',
    description: 'orders of one product, from one second to the next more than its partition takes',
    sides: ['one key per product', 'sharded by the library'],
    run: runFlashSale,
  },
  {
    name: 'celebrity',
    title: 'Celebrity read',
    description: 'posts of one author, read more often than one partition serves',
    sides: ['one key per author', '8 shards'],
    run: runCelebrity,
  },
  {
    name: 'pool',
    title: 'Two-value status index against a sparse index',
    description:
      'voucher codes registered in bulk and handed out, found by their status or by a sparse index',
    sides: ['index on status', 'isotherm/pool'],
    run: runPool,
  },
  {
    name: 'queue',
    title: 'Work queue whose workers end',
    description: 'operations that change balances, while workers end at any moment',
    sides: ['a status by hand', 'isotherm/queue'],
    run: runQueue,
  },
  {
    name: 'large',
    title: 'Documents of several chunks',
    description: 'documents of several chunks, read while writers end in the middle of overwriting them',
    sides: ['overwritten by hand', 'isotherm/large'],
    run: runLarge,
  },
  {
    name: 'rotation',
    title: 'A table for each month',
    description: 'a log with a table for each month, by writers with wrong clocks; old months are archived',
    sides: ["by the writer's clock", 'isotherm/rotation'],
    run: runRotation,
  },
  {
    name: 'search',
    title: 'Bulk import of contacts',
    description:
      'contacts of one tenant, imported faster than one partition of the index takes them, then searched',
    sides: ['index not sharded', 'sharded by the library'],
    run: runSearch,
  },
]

/** All scenarios, the first one first. */
export const SCENARIOS: readonly Scenario[] = [HOT_FILE, ...PATTERNS.map(patternScenario)]
