import { parseSecondLevelCache } from '../../protocol/second-level-cache/second-level-cache-options.js'
import { SharedStates } from '../../protocol/second-level-cache/shared-states.js'
import type { Part } from './part.js'

/**
 * The option `secondLevelCache`: processes share what they have read of the shard map.
 *
 * @example isotherm(client, { parts: [appends, secondLevelCache], tables, secondLevelCache: { cache: redisShardMapCache(redis) } })
 */
export const secondLevelCache: Part = {
  name: 'secondLevelCache',
  secondLevelCache: (path, options) => {
    const secondLevel = parseSecondLevelCache(path, options)
    return (opening) => new SharedStates({ ...opening, secondLevel })
  },
}
