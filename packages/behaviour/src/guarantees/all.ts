import { adopting } from './adopting.js'
import { appends } from './appends.js'
import { batches } from './batches.js'
import { calculated } from './calculated.js'
import { dropIn } from './drop-in.js'
import type { Guarantees } from './guarantee.js'
import { indexes } from './indexes.js'
import { queries } from './queries.js'
import { refusals } from './refusals.js'
import { scans } from './scans.js'
import { shardMap } from './shard-map.js'
import { transactions } from './transactions.js'

/** All guarantees, in the order of the document. */
export const GUARANTEES: readonly Guarantees[] = [
  dropIn,
  appends,
  calculated,
  queries,
  indexes,
  batches,
  transactions,
  scans,
  adopting,
  shardMap,
  refusals,
]
