import type { Random } from '@isotherm/runtime'
import type { Settings } from './settings.js'

/** Of the runs whose appends are found by their keys. In the others, all keys have grown within the first seconds. */
const SHARE_OF_COLD_KEYS = 0.3

const KEYS = 40

/** Runs with many keys that were never hot, which people give shards one after the other. Most processes have not heard of that yet. */
export function whileColdKeysGrow(drawn: Settings): Settings {
  return {
    ...drawn,
    keys: KEYS,
    itemsPerKey: 4,
    operatorMilliseconds: 500,
    table: { ...drawn.table, isFixed: false, initialShards: 1 },
  }
}

export function withColdKeys(drawn: Settings, random: Random): Settings {
  const grows = drawn.workload === 'kept-appends' && !drawn.table.isFixed && drawn.table.initialShards === 1
  return grows && random.next() < SHARE_OF_COLD_KEYS ? whileColdKeysGrow(drawn) : drawn
}
