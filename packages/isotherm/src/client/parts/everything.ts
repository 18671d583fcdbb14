import { calculated } from '../../writes/calculated.js'
import { batches } from './batches.js'
import { explain } from './explain.js'
import { indexes } from './indexes.js'
import { items } from './items.js'
import { type Parts, partsOf } from './parts.js'
import { queries } from './queries.js'
import { rebalancing } from './rebalancing.js'
import { scans } from './scans.js'
import { secondLevelCache } from './second-level-cache.js'
import { transactions } from './transactions.js'

/** What the client of the entry `isotherm` is made of. */
export const EVERYTHING: Parts = {
  ...partsOf([items, queries, scans, batches, transactions, indexes, rebalancing, secondLevelCache, explain]),
  calculated,
}
