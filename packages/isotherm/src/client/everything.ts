import { calculated } from '../writes/calculated.js'
import { type MergedParts, mergedParts } from './merged-parts.js'
import {
  batches,
  explain,
  indexes,
  items,
  migrating,
  queries,
  rebalancing,
  scans,
  secondLevelCache,
  transactions,
} from './parts.js'

/** The parts of the client of the entry `isotherm`. */
export const EVERYTHING: MergedParts = mergedParts(
  [items, queries, scans, batches, transactions, indexes, rebalancing, migrating, secondLevelCache, explain],
  { calculated },
)
