import { IsothermError } from '../errors/isotherm-error.js'
import { fixedViews } from '../shard-map/shard-views.js'
import type { KeyCounts } from './key-counts.js'

/** The count that people chose, for every key of the table. */
export function fixedCounts(table: string, count: () => number): KeyCounts {
  return {
    views: fixedViews(count),
    throttled: () => {},
    byHand: () => {
      throw new IsothermError(
        'shards.fixed',
        `The table ${table} has fixedShards, one count for all keys, which is changed in the options. Give it dynamicShards({ ... }) to have a count for each key.`,
        { table },
      )
    },
  }
}
